import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
/** Tolerates clock skew of one step (RFC 6238 §5.2). */
const stepOffsets = [0, -1, 1]

/** 160 bits, as RFC 4226 §4 recommends. */
export function newTotpSecret() {
  return randomBytes(20)
}

/** The time step whose code this is; undefined when the code is not valid now. */
export function findTimeStep(secret: Buffer, code: string, at: Date) {
  const digits = Buffer.from(code.replaceAll(' ', ''))

  return stepOffsets.map(offset => timeStep(at) + offset).find(step => isEqual(Buffer.from(hotp(secret, step)), digits))
}

export function timeStep(at: Date) {
  return Math.floor(at.getTime() / stepMs)
}

/** RFC 4226 §5.3, dynamic truncation: four bytes of the hash, at the offset in its last four bits. */
export function hotp(secret: Buffer, counter: number, digits = 6) {
  const message = Buffer.alloc(8)

  message.writeBigUInt64BE(BigInt(counter))
  const hash = createHmac('sha1', secret).update(message).digest()
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fffffff

  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The content of the QR code for authenticator apps. */
export function otpauthUri(secret: Buffer, account: string, issuer = 'Tocsin') {
  const label = [issuer, account].map(encodeURIComponent).join(':')

  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}

/** RFC 4648 §6, without padding, which authenticator apps reject. */
export function base32(bytes: Buffer) {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')

  return bits
    .match(/.{1,5}/g)!
    .map(five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function isEqual(one: Buffer, other: Buffer) {
  return one.length === other.length && timingSafeEqual(one, other)
}
