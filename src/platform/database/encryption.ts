import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface KeySource {
  secretKey?: string | undefined
  /** Holds `secret.key` when SECRET_KEY is not set. */
  dataDir: string
}

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts a credential for storage (AES-256-GCM). The owner is authenticated data: a ciphertext copied to another row
 * does not decrypt.
 */
export async function encrypt(source: KeySource, text: string, owner: string) {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, await keyOf(source), nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])

  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

/** The plain text; undefined when it was encrypted with another key or for another owner. */
export async function decrypt(source: KeySource, stored: Uint8Array, owner: string) {
  const bytes = Buffer.from(stored)
  const [nonce, rest] = [bytes.subarray(0, nonceLength), bytes.subarray(nonceLength)]

  try {
    const opening = createDecipheriv(cipher, await keyOf(source), nonce)
      .setAAD(Buffer.from(owner))
      .setAuthTag(rest.subarray(0, tagLength))

    return Buffer.concat([opening.update(rest.subarray(tagLength)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

async function keyOf(source: KeySource) {
  const secret = source.secretKey ?? (await readOrCreateSecret(source.dataDir))

  return Buffer.from(hkdfSync('sha256', secret, '', 'stored credentials', 32))
}

/** The key is stored outside the database: a database dump alone reveals no credential. */
async function readOrCreateSecret(folder: string) {
  const path = join(folder, 'secret.key')

  return (await readFile(path).catch(() => undefined)) ?? createSecret(folder, path)
}

/** `link` is atomic: when several processes start at once, they all use the key of the first. */
async function createSecret(folder: string, path: string) {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`

  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600 })
  await link(temporary, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)

  return readFile(path)
}
