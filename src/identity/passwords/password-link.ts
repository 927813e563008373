import type { EntityManager } from '#platform/database/database.ts'
import type { KeySource } from '#platform/database/encryption.ts'
import { isSigned, sign } from '#platform/database/signatures.ts'
import { User } from '../users/user.ts'

const purpose = 'links that set a password'
const hourMs = 3600_000
const lifetimesMs = { reset: 2 * hourMs, welcome: 7 * 24 * hourMs }

/** `welcome` is for a new user, who does not wait for the mail. */
export type PasswordLinkKind = keyof typeof lifetimesMs

export function passwordLinkExpiry(kind: PasswordLinkKind, at: Date) {
  return new Date(at.getTime() + lifetimesMs[kind])
}

/**
 * A link with which a user sets a password. Nothing of it is stored: it is signed with the key of the installation, over the hash of
 * the current password and the address. So it works once, and every other change of the password or of the address ends it.
 */
export async function passwordUrl(config: KeySource & { baseUrl: string }, user: User, expiresAt: Date) {
  const claim = claimOf(user.id, Math.floor(expiresAt.getTime() / 1000))

  return `${config.baseUrl}/users/password/edit?reset_password_token=${claim}.${await sign(config, purpose, signedText(claim, user))}`
}

/** Undefined for a link that is wrong, used or expired, and for users who may not sign in. */
export async function findByPasswordToken(em: EntityManager, source: KeySource, token: string, at: Date) {
  const [, id] = /^(\d{1,15})\./.exec(token) ?? []
  const user = id && (await em.findOne(User, { id: Number(id) }))

  return user && (await isPasswordToken(source, user, token, at)) ? user : undefined
}

export async function isPasswordToken(source: KeySource, user: User, token: string, at: Date) {
  const [, id, expiry, signature] = /^(\d{1,15})\.(\d{10})\.([\w-]{43})$/.exec(token) ?? []

  if (!signature || !maySetPassword(user) || Number(expiry) * 1000 <= at.getTime()) return false

  return isSigned(source, purpose, signedText(claimOf(Number(id), Number(expiry)), user), signature)
}

/** Blocked and deactivated users and bots have no such link. */
export function maySetPassword(user: User) {
  return user.isActive() && !user.isBot()
}

function claimOf(id: number, expiry: number) {
  return `${id}.${expiry}`
}

function signedText(claim: string, { passwordHash, email }: User) {
  return JSON.stringify([claim, passwordHash ?? '', email])
}
