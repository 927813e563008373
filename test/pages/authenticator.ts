import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { creationOptions, secondFactorOptions, signInOptions } from '#identity/passkeys/options.ts'

type CreationOptions = ReturnType<typeof creationOptions>
type RequestOptions = ReturnType<typeof signInOptions> | ReturnType<typeof secondFactorOptions>

/** One passkey, which answers as browsers do (WebAuthn Level 3 §6), and lets a test choose what it says. */
export class Authenticator {
  id = randomBytes(32)
  origin: string
  counter = 0
  isUserVerified = true
  userHandle = ''
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(origin: string) {
    this.origin = origin
  }

  /** Without attestation (§8.7). */
  create({ challenge, rp, user }: Pick<CreationOptions, 'challenge' | 'rp' | 'user'>) {
    this.userHandle = user.id
    const credential = Buffer.concat([Buffer.alloc(16), uint(2, this.id.length), this.id, coseKey(this.#keys.publicKey)])
    const data = this.#authenticatorData(rp.id, 0x40, credential)
    const attestation = Buffer.concat([
      Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1'),
      uint(2, data.length),
      data
    ])

    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject: attestation,
      transports: ['internal', 'made up']
    })
  }

  get({ challenge, rpId }: Pick<RequestOptions, 'challenge' | 'rpId'>) {
    const clientData = this.#clientData('webauthn.get', challenge)
    const data = this.#authenticatorData(rpId, 0, Buffer.alloc(0))
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey)

    return this.#answer({ clientDataJSON: clientData, authenticatorData: data, signature, userHandle: this.userHandle })
  }

  #clientData(type: string, challenge: string) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #authenticatorData(rpId: string, flags: number, credential: Buffer) {
    return Buffer.concat([sha256(rpId), uint(1, flags | 1 | (this.isUserVerified ? 4 : 0)), uint(4, this.counter), credential])
  }

  #answer(response: Record<string, Buffer | string | string[]>) {
    const id = this.id.toString('base64url')

    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('base64url') : value])
      )
    })
  }
}

/** RFC 9053 §7.1.1, ES256. */
function coseKey(key: KeyObject) {
  const { x, y } = key.export({ format: 'jwk' })
  const [head, middle] = ['a5010203262001215820', '225820'].map(hex => Buffer.from(hex, 'hex')) as [Buffer, Buffer]

  return Buffer.concat([head, Buffer.from(x!, 'base64url'), middle, Buffer.from(y!, 'base64url')])
}

function uint(bytes: number, value: number) {
  const buffer = Buffer.alloc(bytes)

  buffer.writeUIntBE(value, 0, bytes)

  return buffer
}

function sha256(data: string | Buffer) {
  return createHash('sha256').update(data).digest()
}

/** What a page hands to the browser. */
export function optionsIn<T = CreationOptions & RequestOptions>(page: string): T {
  const [, written = ''] = /data-options="([^"]+)"/.exec(page) ?? []

  return JSON.parse(written.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)))
}
