import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * Encrypts a credential that has to be used again, for storing it. Bound to what it belongs to, so that nobody who can
 * write to the database makes one serve somewhere else.
 */
export async function seal(config: Config, text: string, owner: string) {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, await keyOf(config), nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])

  return Buffer.concat([nonce, sealing.getAuthTag(), sealed])
}

/** The text again; nothing when it was sealed with another key, or for another owner. */
export async function unseal(config: Config, stored: Uint8Array, owner: string) {
  const bytes = Buffer.from(stored)
  const [nonce, rest] = [bytes.subarray(0, nonceLength), bytes.subarray(nonceLength)]

  try {
    const opening = createDecipheriv(cipher, await keyOf(config), nonce)
      .setAAD(Buffer.from(owner))
      .setAuthTag(rest.subarray(0, tagLength))

    return Buffer.concat([opening.update(rest.subarray(tagLength)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

async function keyOf(config: Config) {
  const secret = config.secretKey ?? (await keptSecret(config.dataDir))

  return Buffer.from(hkdfSync('sha256', secret, '', 'stored credentials', 32))
}

/** Beside the database rather than in it: a copy of the one is nothing without the other. */
async function keptSecret(folder: string) {
  const path = join(folder, 'secret.key')

  return (await readFile(path).catch(() => undefined)) ?? makeSecret(folder, path)
}

/** Of several processes at once one makes it, and the others take that one, whole. */
async function makeSecret(folder: string, path: string) {
  const own = `${path}.${randomBytes(6).toString('hex')}`

  await mkdir(folder, { recursive: true })
  await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600 })
  await link(own, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(own)

  return readFile(path)
}
