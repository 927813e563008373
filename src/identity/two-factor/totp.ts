import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
/** Clocks differ: a code of the step before or after is taken too. */
const tolerance = [0, -1, 1]

/** As long as the hash, as RFC 4226 §4 recommends. */
export function newTotpSecret() {
  return randomBytes(20)
}

/** The step of time whose code this is, if it is one of now (RFC 6238 §5.2). */
export function stepOfCode(secret: Buffer, code: string, at: Date) {
  const given = Buffer.from(code.replaceAll(' ', ''))
  const fits = tolerance.map(offset => stepAt(at) + offset).filter(step => isSame(Buffer.from(codeOf(secret, step)), given))

  return fits[0]
}

export function stepAt(at: Date) {
  return Math.floor(at.getTime() / stepMs)
}

/** RFC 4226 §5.3: four bytes of the hash, from where its last half byte says. */
export function codeOf(secret: Buffer, step: number, digits = 6) {
  const counter = Buffer.alloc(8)

  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fffffff

  return String(number % 10 ** digits).padStart(digits, '0')
}

/** What an authenticator reads from the picture. */
export function enrolmentUri(secret: Buffer, account: string, issuer = 'Tocsin') {
  const label = [issuer, account].map(encodeURIComponent).join(':')

  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}

/** RFC 4648 §6, without padding, as authenticators want it. */
export function base32(bytes: Buffer) {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')

  return bits
    .match(/.{1,5}/g)!
    .map(five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function isSame(one: Buffer, other: Buffer) {
  return one.length === other.length && timingSafeEqual(one, other)
}
