import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface KeySource {
  secretKey?: string | undefined
  /** Holds the key when SECRET_KEY is not set. */
  dataDir: string
}

/** Beside the embedded database, the installation's key is in this file. */
export const keyFile = 'secret.key'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

const credentials = 'stored credentials'

/** Encrypts a credential for storage. */
export async function encrypt(source: KeySource, text: string, owner: string) {
  return encryptBytes(await deriveKey(source, credentials), Buffer.from(text), owner)
}

/** The plain text; undefined when it was encrypted with another key or for another owner. */
export async function decrypt(source: KeySource, stored: Uint8Array, owner: string) {
  return decryptBytes(await deriveKey(source, credentials), stored, owner)?.toString('utf8')
}

/** A key for one purpose, derived from the secret of the installation (HKDF, RFC 5869). */
export async function deriveKey(source: KeySource, purpose: string) {
  const secret = source.secretKey ?? (await readOrCreateSecret(source.dataDir))

  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/**
 * AES-256-GCM: nonce, tag, ciphertext. The owner is authenticated data: a ciphertext that is copied to another owner does
 * not decrypt.
 */
export function encryptBytes(key: Buffer, plain: Uint8Array, owner: string) {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(owner))
  const sealed = sealing.update(plain)

  sealing.final()

  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

/** Undefined when the bytes were encrypted with another key or for another owner. */
export function decryptBytes(key: Buffer, stored: Uint8Array, owner: string) {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const [nonce, rest] = [bytes.subarray(0, nonceLength), bytes.subarray(nonceLength)]

  try {
    const opening = createDecipheriv(cipher, key, nonce).setAAD(Buffer.from(owner)).setAuthTag(rest.subarray(0, tagLength))
    const plain = opening.update(rest.subarray(tagLength))

    opening.final()

    return plain
  } catch {
    return undefined
  }
}

/** The key is stored outside the database: a database dump alone reveals no credential. */
async function readOrCreateSecret(folder: string) {
  const path = join(folder, keyFile)

  return (await readFile(path).catch(() => undefined)) ?? createSecret(folder, path).catch(error => refuse(path, error))
}

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new Error(`${path} cannot be created (${code}). Set SECRET_KEY, or DATA_DIR to a directory that this user can write to.`)
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
