import { createHash } from 'node:crypto'
import { ValidationFailed } from '../../http/problems/problems.ts'

const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const end = '-----END PGP PUBLIC KEY BLOCK-----'
/** RFC 9580 §5: packet types. */
const publicKey = 6
const secretKeys = [5, 7]

/** Reads an ASCII-armored public key (RFC 9580 §6.2). A block with a secret key is refused. */
export function parseGpgKey(text: string) {
  const key = text.trim()
  const packets = key.startsWith(begin) && key.endsWith(end) ? readPackets(dearmor(key)) : undefined
  const primary = packets?.[0]

  if (!primary || primary.type !== publicKey || packets.some(({ type }) => secretKeys.includes(type))) {
    throw new ValidationFailed({ key: [`is invalid. A valid public GPG key begins with '${begin}' and ends with '${end}'`] })
  }

  return { key, fingerprint: fingerprintOf(primary.body) }
}

/** Armor headers end with an empty line. A line with `=` at its start is a checksum. */
function dearmor(key: string) {
  const lines = key.split('\n').map(line => line.trim())
  const body = lines.slice(lines.indexOf('') + 1, -1).filter(line => !line.startsWith('='))

  return Buffer.from(body.join(''), 'base64')
}

interface Packet {
  type: number
  body: Buffer
}

/** Undefined when the bytes are not a sequence of whole packets. */
function readPackets(data: Buffer) {
  const packets: Packet[] = []

  for (let at = 0; at < data.length; ) {
    const header = readHeader(data, at)

    if (!header || header.start + header.length > data.length) return undefined
    packets.push({ type: header.type, body: data.subarray(header.start, header.start + header.length) })
    at = header.start + header.length
  }

  return packets
}

/** RFC 9580 §4.2: both formats, without lengths that only streams have. */
function readHeader(data: Buffer, at: number) {
  const tag = data[at]!
  const [first = 0, second = 0] = data.subarray(at + 1)

  if (tag < 0x80) return undefined
  if (tag < 0xc0) {
    const size = [1, 2, 4][tag & 3]

    if (!size || at + 1 + size > data.length) return undefined

    return { type: (tag >> 2) & 15, start: at + 1 + size, length: data.readUIntBE(at + 1, size) }
  }
  const type = tag & 63

  if (first < 192) return { type, start: at + 2, length: first }
  if (first < 224) return { type, start: at + 3, length: ((first - 192) << 8) + second + 192 }

  return first === 255 && at + 6 <= data.length ? { type, start: at + 6, length: data.readUInt32BE(at + 2) } : undefined
}

/** RFC 9580 §5.5.4. */
function fingerprintOf(body: Buffer) {
  if (body[0] === 4) return digest('sha1', Buffer.from([0x99, body.length >> 8, body.length & 255]), body)
  if (body[0] !== 6) throw new ValidationFailed({ key: ['has an unsupported version'] })
  const length = Buffer.alloc(4)

  length.writeUInt32BE(body.length)

  return digest('sha256', Buffer.from([0x9b]), length, body)
}

function digest(algorithm: string, ...parts: Buffer[]) {
  return createHash(algorithm).update(Buffer.concat(parts)).digest('hex').toUpperCase()
}
