import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const argon2Async = promisify(argon2)
/** OWASP's recommendation for argon2id: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

export const minPasswordLength = 8

/** Only for values that are random themselves: tokens, session secrets, keys. Passwords need {@link hashPassword}. */
export function hashSecret(secret: string) {
  return createHash('sha256').update(secret).digest()
}

export function newSecret(prefix = '') {
  return prefix + randomBytes(20).toString('base64url')
}

/** 256 random bits in hexadecimal, the form of OAuth secrets, codes and tokens. */
export function newHexSecret(prefix = '') {
  return prefix + randomBytes(32).toString('hex')
}

export function isHexSecret(text: string) {
  return /^[0-9a-f]{64}$/.test(text)
}

/** A password that is easy to read and type. */
export function newPassword() {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = [...randomBytes(16)].map(byte => alphabet[byte % alphabet.length]).join('')

  return letters.match(/.{4}/g)!.join('-')
}

/** In the PHC string format, so that the cost can be raised while older hashes stay valid. */
export async function hashPassword(password: string) {
  const salt = randomBytes(16)
  const hash = await argon2Async('argon2id', { message: Buffer.from(password), nonce: salt, ...cost })

  return toPhcString(salt, hash as Buffer)
}

/** Without a stored hash it takes as long as with one, so that response times do not reveal whether a user exists. */
export async function verifyPassword(password: string, stored: string | null | undefined) {
  const [, , , params, salt, hash] = (stored ?? dummyHash).split('$')
  const [memory, passes, parallelism] = params!.match(/\d+/g)!.map(Number) as [number, number, number]
  const expected = Buffer.from(hash!, 'base64')
  const actual = await argon2Async('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(salt!, 'base64'),
    memory,
    passes,
    parallelism,
    tagLength: expected.length
  })

  return timingSafeEqual(actual as Buffer, expected) && Boolean(stored)
}

const dummyHash = toPhcString(Buffer.alloc(16), Buffer.alloc(32))

function toPhcString(salt: Buffer, hash: Buffer) {
  const [encodedSalt, encodedHash] = [salt, hash].map(bytes => bytes.toString('base64').replace(/={1,2}$/, ''))

  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encodedSalt}$${encodedHash}`
}
