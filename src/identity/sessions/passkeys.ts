import Type from 'typebox'
import type { Config } from '#config.ts'
import { NotFound, Rejected } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type ChallengeScope, issueChallenge, useChallenge } from '../passkeys/challenge.ts'
import { creationOptions } from '../passkeys/options.ts'
import { Passkey } from '../passkeys/passkey.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { parseAnswer, type Registration, verifyRegistration } from '../passkeys/verify.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { confirmPassword } from './confirm-password.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { type AccountContext, revokeOtherSessions } from './sessions.ts'

const maxPasskeys = 20

export const PasskeyName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })

export function listPasskeys(em: EntityManager, user: User) {
  return em.find(Passkey, { user: user.id }, { orderBy: { id: 'asc' }, limit: maxPasskeys })
}

export async function getPasskey(em: EntityManager, user: User, id: number) {
  const passkey = await em.findOne(Passkey, { id, user: user.id })

  if (!passkey) throw new NotFound('Passkey')

  return passkey
}

/** Takes the password. Returns what the browser creates a passkey from. */
export async function beginPasskey(em: EntityManager, config: Config, account: AccountContext, password: string) {
  await confirmPassword(em, account, password)
  const { user, at } = account
  const party = relyingPartyOf(config)

  if (!party) throw new Rejected('passkeys do not work at the address of this site')
  checkNumber(user)

  return creationOptions(party, user, await listPasskeys(em, user), await issueChallenge(config, scopeOf(account), at))
}

/**
 * Adds the passkey that a browser created. If it is the first second factor, sessions that were opened without one end, and it returns
 * recovery codes.
 */
export async function addPasskey(em: EntityManager, config: Config, account: AccountContext, { name, credential }: NewPasskey) {
  const created = await verifyNew(em, config, account, credential)

  return withLockedUser(em, account.user, async (em, user) => {
    const isFirst = !user.hasTwoFactor()

    checkNumber(user)
    if (await em.count(Passkey, { credentialId: created.credentialId })) throw new Rejected('this passkey was added before')
    em.create(Passkey, { ...created, user, name, createdAt: account.at })
    user.passkeyCount++
    recordUserEvent(em, account.actor, user, 'passkey_added', { passkey: name })
    await addMail(em, { kind: 'passkey.added', subjectId: user.id, data: { passkey: name } })
    if (!isFirst) return []
    await revokeOtherSessions(em, account)

    return replaceRecoveryCodes(em, user)
  })
}

interface NewPasskey {
  name: string
  /** The answer of the browser. */
  credential: string
}

export async function renamePasskey(em: EntityManager, account: AccountContext, id: number, name: string) {
  const passkey = await getPasskey(em, account.user, id)

  passkey.name = name
  await em.flush()
}

/** Takes the password. With the last second factor, the recovery codes are deleted. */
export async function removePasskey(em: EntityManager, account: AccountContext, id: number, password: string) {
  await confirmPassword(em, account, password)
  await withLockedUser(em, account.user, async (em, user) => {
    const passkey = await getPasskey(em, user, id)

    em.remove(passkey)
    user.passkeyCount--
    if (!user.hasTwoFactor()) await deleteRecoveryCodes(em, user)
    recordUserEvent(em, account.actor, user, 'passkey_removed', { passkey: passkey.name })
    await addMail(em, { kind: 'passkey.removed', subjectId: user.id, data: { passkey: passkey.name } })
  })
}

async function verifyNew(em: EntityManager, config: Config, account: AccountContext, credential: string) {
  const party = relyingPartyOf(config)
  const registration = parseAnswer<Registration>(credential)
  const isAnswer = party && registration && (await useChallenge(em, config, scopeOf(account), registration.challenge, account.at))
  const created = isAnswer ? await verifyRegistration(registration, party) : undefined

  if (!created || 'reason' in created) throw new Rejected('the passkey was not accepted, or this took longer than ten minutes. Try again')

  return created
}

function checkNumber({ passkeyCount }: User) {
  if (passkeyCount >= maxPasskeys) throw new Rejected(`you have ${maxPasskeys} passkeys. Remove one first`)
}

function scopeOf({ session }: AccountContext): ChallengeScope {
  return { purpose: 'registration', browser: session }
}
