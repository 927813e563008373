import { createHash } from 'node:crypto'
import { ValidationFailed } from '../../http/problems/problems.ts'

const minRsaBits = 2048
/** RFC 5656 §3.1: uncompressed points. */
const pointLengths = new Map([
  ['nistp256', 65],
  ['nistp384', 97],
  ['nistp521', 133]
])

/** Checks the fields after the type, and reads past them; false when they are malformed. */
const types: Record<string, (fields: Fields) => boolean> = {
  'ssh-rsa': isRsa,
  'ssh-ed25519': fields => fields.next().length === 32,
  'ecdsa-sha2-nistp256': fields => isEcdsa(fields, 'nistp256'),
  'ecdsa-sha2-nistp384': fields => isEcdsa(fields, 'nistp384'),
  'ecdsa-sha2-nistp521': fields => isEcdsa(fields, 'nistp521'),
  'sk-ssh-ed25519@openssh.com': fields => fields.next().length === 32 && fields.next().length > 0,
  'sk-ecdsa-sha2-nistp256@openssh.com': fields => isEcdsa(fields, 'nistp256') && fields.next().length > 0
}

/** Reads a public key as in `id_*.pub`: type, Base64 and comment (RFC 4253 §6.6). */
export function parseSshKey(text: string) {
  const [type = '', encoded = '', ...comment] = text.trim().split(/\s+/)
  const data = Buffer.from(encoded, 'base64')

  if (!Object.hasOwn(types, type))
    throw new ValidationFailed({ key: ['type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK or ED25519_SK'] })
  if (data.toString('base64').replace(/={1,2}$/, '') !== encoded.replace(/={1,2}$/, '')) throw new ValidationFailed({ key: ['is invalid'] })
  const fields = new Fields(data)

  if (fields.next().toString() !== type || !types[type]!(fields) || !fields.isAtEnd()) throw new ValidationFailed({ key: ['is invalid'] })

  return {
    key: [type, encoded, ...comment].join(' '),
    fingerprintMd5: createHash('md5').update(data).digest('hex').match(/../g)!.join(':'),
    fingerprintSha256: createHash('sha256').update(data).digest('base64').replace(/=$/, '')
  }
}

/** Strings with their length before them (RFC 4251 §5). */
class Fields {
  #data: Buffer
  #at = 0
  #isBroken = false

  constructor(data: Buffer) {
    this.#data = data
  }

  /** Empty when there is none. */
  next() {
    const rest = this.#data.subarray(this.#at)
    const length = rest.length < 4 ? Number.POSITIVE_INFINITY : rest.readUInt32BE()

    if (length > rest.length - 4) this.#isBroken = true
    if (this.#isBroken) return Buffer.alloc(0)
    this.#at += 4 + length

    return rest.subarray(4, 4 + length)
  }

  isAtEnd() {
    return !this.#isBroken && this.#at === this.#data.length
  }
}

function isRsa(fields: Fields) {
  const exponent = fields.next()
  const modulus = fields.next()
  const first = modulus.findIndex(byte => byte !== 0)
  const bits = first < 0 ? 0 : (modulus.length - first) * 8 - Math.clz32(modulus[first]!) + 24

  if (exponent.length > 0 && bits > 0 && bits < minRsaBits) throw new ValidationFailed({ key: [`must be at least ${minRsaBits} bits`] })

  return exponent.length > 0 && bits >= minRsaBits
}

function isEcdsa(fields: Fields, curve: string) {
  const isCurve = fields.next().toString() === curve
  const point = fields.next()

  return isCurve && point.length === pointLengths.get(curve) && point[0] === 4
}
