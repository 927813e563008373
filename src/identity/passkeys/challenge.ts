import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { deriveKey, type KeySource } from '#platform/database/encryption.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    used_challenges: { nonce: string; expires_at: Date }
  }
}

/** What a challenge is for: an answer counts nowhere else. */
export interface ChallengeScope {
  purpose: 'registration' | 'sign-in' | 'second factor'
  /** A secret in a cookie of the browser: that of its session, if it has one. */
  browser: string
}

const lifetimeMs = 10 * 60_000

/** Not stored, so that pages which anyone may open write nothing: it carries its expiry and a MAC over its scope. In base64url. */
export async function issueChallenge(source: KeySource, scope: ChallengeScope, at: Date) {
  const nonce = randomBytes(16).toString('base64url')
  const expiry = String(at.getTime() + lifetimeMs)

  return Buffer.from([nonce, expiry, await macOf(source, scope, nonce, expiry)].join('.')).toString('base64url')
}

/** True once, and only within ten minutes, for a challenge of this scope. */
export async function useChallenge(em: EntityManager, source: KeySource, scope: ChallengeScope, challenge: string, at: Date) {
  const [nonce = '', expiry = '', mac = ''] = Buffer.from(challenge, 'base64url').toString().split('.')
  const isGenuine = isEqual(mac, await macOf(source, scope, nonce, expiry))

  if (!isGenuine || Number(expiry) <= at.getTime()) return false
  const inserted = await em
    .getKysely<Tables>()
    .insertInto('used_challenges')
    .values({ nonce, expires_at: new Date(Number(expiry)) })
    .onConflict(conflict => conflict.doNothing())
    .returning('nonce')
    .execute()

  return inserted.length > 0
}

export async function deleteExpiredChallenges(em: EntityManager, at: Date) {
  await em.getKysely<Tables>().deleteFrom('used_challenges').where('expires_at', '<', at).execute()
}

async function macOf(source: KeySource, { purpose, browser }: ChallengeScope, nonce: string, expiry: string) {
  return createHmac('sha256', await deriveKey(source, 'challenges of passkeys'))
    .update(JSON.stringify([purpose, browser, nonce, expiry]))
    .digest('base64url')
}

function isEqual(one: string, other: string) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]

  return a.length === b.length && timingSafeEqual(a, b)
}
