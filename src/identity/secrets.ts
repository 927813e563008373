import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
/** OWASP's choice for argon2id: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Enough for what is random itself: tokens, session secrets, keys. */
export function hashSecret(secret: string) {
  return createHash('sha256').update(secret).digest()
}

export function newSecret(prefix = '') {
  return prefix + randomBytes(20).toString('base64url')
}

/** A password that people can read and type. */
export function newPassword() {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const picked = [...randomBytes(16)].map(byte => letters[byte % letters.length]).join('')

  return picked.match(/.{4}/g)!.join('-')
}

/** In the PHC string format, so that the cost can grow without breaking what is stored. */
export async function hashPassword(password: string) {
  const salt = randomBytes(16)
  const hash = await derive('argon2id', { message: Buffer.from(password), nonce: salt, ...cost })

  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(salt)}$${plain(hash as Buffer)}`
}

/** An unknown user costs the same time as a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined) {
  const [, , , params, salt, hash] = (stored ?? decoy).split('$')
  const [memory, passes, parallelism] = params!.match(/\d+/g)!.map(Number) as [number, number, number]
  const expected = Buffer.from(hash!, 'base64')
  const given = await derive('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(salt!, 'base64'),
    memory,
    passes,
    parallelism,
    tagLength: expected.length
  })

  return timingSafeEqual(given as Buffer, expected) && Boolean(stored)
}

const decoy = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(Buffer.alloc(16))}$${plain(Buffer.alloc(32))}`

function plain(bytes: Buffer) {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
