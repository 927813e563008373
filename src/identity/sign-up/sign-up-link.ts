import type { KeySource } from '#platform/database/encryption.ts'
import { isSigned, sign } from '#platform/database/signatures.ts'

const purpose = 'links that sign up'
const lifetimeMs = 24 * 3600_000

export function signUpLinkExpiry(at: Date) {
  return new Date(at.getTime() + lifetimeMs)
}

/** A link that proves that its reader has an address. Nothing of it is stored; an address has one account, so it works once. */
export async function signUpUrl(config: KeySource & { baseUrl: string }, email: string, expiresAt: Date) {
  const claim = `${Buffer.from(email).toString('base64url')}.${Math.floor(expiresAt.getTime() / 1000)}`

  return `${config.baseUrl}/users/sign_up/account?sign_up_token=${claim}.${await sign(config, purpose, claim)}`
}

/** The address of a link; undefined when it is wrong or expired. */
export async function emailOfToken(source: KeySource, token: string, at: Date) {
  const [, encoded = '', expiry, signature = ''] = /^([\w-]{1,1000})\.(\d{10})\.([\w-]{43})$/.exec(token) ?? []

  if (!(await isSigned(source, purpose, `${encoded}.${expiry}`, signature)) || Number(expiry) * 1000 <= at.getTime()) return undefined

  return Buffer.from(encoded, 'base64url').toString()
}
