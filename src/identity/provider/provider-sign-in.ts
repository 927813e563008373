import { createHmac } from 'node:crypto'
import { defineEntity, LockMode, p } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { hashSecret, newSecret } from '../secrets.ts'

const lifetimeMs = 10 * 60_000

export const ProviderSignInSchema = defineEntity({
  name: 'ProviderSignIn',
  tableName: 'provider_sign_ins',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    stateHash: p.blob(),
    browserHash: p.blob(),
    /** The signed-in user who connects an account of theirs; null for a sign-in. */
    userId: p.bigint('number').nullable(),
    returnTo: p.text(),
    expiresAt: p.datetime(3)
  }
})

/** A sign-in that has begun, and ends when the browser comes back from the provider. */
export class ProviderSignIn extends ProviderSignInSchema.class {}

ProviderSignInSchema.setClass(ProviderSignIn)

export interface Challenge {
  state: string
  nonce: string
  codeVerifier: string
}

/** Begins a sign-in in the browser with this secret. */
export async function beginSignIn(em: EntityManager, browser: string, given: { returnTo: string; userId?: number }, at: Date) {
  const state = newSecret()

  em.create(ProviderSignIn, {
    stateHash: hashSecret(state),
    browserHash: hashSecret(browser),
    userId: given.userId ?? null,
    returnTo: given.returnTo,
    expiresAt: new Date(at.getTime() + lifetimeMs)
  })
  await em.flush()

  return challengeOf(browser, state)
}

/** Ends a sign-in, once; undefined if it has ended, expired, or was begun in another browser. */
export async function takeSignIn(em: EntityManager, browser: string, state: string, at: Date) {
  const begun = await em.transactional(async em => {
    const where = { stateHash: hashSecret(state), browserHash: hashSecret(browser), expiresAt: { $gt: at } }
    const begun = await em.findOne(ProviderSignIn, where, { lockMode: LockMode.PESSIMISTIC_WRITE })

    if (begun) em.remove(begun)

    return begun
  })

  return begun ? { userId: begun.userId, returnTo: begun.returnTo, challenge: challengeOf(browser, state) } : undefined
}

export function deleteExpiredSignIns(em: EntityManager, at: Date) {
  return em.nativeDelete(ProviderSignIn, { expiresAt: { $lt: at } })
}

/** Nonce and verifier follow from the browser's secret: the database does not have them. */
function challengeOf(browser: string, state: string): Challenge {
  const derive = (purpose: string) => createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url')

  return { state, nonce: derive('nonce'), codeVerifier: derive('verifier') }
}
