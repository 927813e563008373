import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type KeySource } from './encryption.ts'

/** The HMAC of a text, for a link: only this installation can write one, and the database alone does not reveal it. */
export async function sign(source: KeySource, purpose: string, text: string) {
  return createHmac('sha256', await deriveKey(source, purpose))
    .update(text)
    .digest('base64url')
}

export async function isSigned(source: KeySource, purpose: string, text: string, signature: string) {
  const [expected, given] = [await sign(source, purpose, text), signature].map(one => Buffer.from(one!))

  return given!.length === expected!.length && timingSafeEqual(given!, expected!)
}
