import type { Config } from '#config.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { claimEmail, findByConfirmedEmail } from '../emails/claim-email.ts'
import { requestConfirmation } from '../emails/jobs.ts'
import { recordUserEvent } from '../record-user-event.ts'
import type { Client } from '../sessions/sessions.ts'
import { passFirstStep, type SignedIn } from '../sessions/sign-in.ts'
import { createAccount, isAllowedDomain, isSelfService } from '../sign-up/sign-up.ts'
import { withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { freeUsername } from './free-username.ts'
import { Identity } from './identity.ts'
import type { Person } from './person.ts'
import type { ProviderSettings } from './provider.ts'

/** Why somebody who has signed in at the provider may not here. */
export type Refused = 'blocked' | 'pending' | 'outside' | 'addressless' | 'taken' | 'closed' | 'domain'

type Deps = Parameters<typeof requestConfirmation>[0] & { config: Config }

/** Signs in the user who this person is, if need be a new one. The second factor is still asked for. */
export async function signInPerson(
  em: EntityManager,
  deps: Deps,
  { person, settings, client, at }: { person: Person; settings: ProviderSettings; client: Client; at: Date }
): Promise<SignedIn | Refused> {
  if (settings.requiredGroup && !person.groups.includes(settings.requiredGroup)) return 'outside'
  const found = await em.transactional(async em => {
    await lockTransaction(em, lockOf(person))

    return (await findKnown(em, person, at)) ?? (await findByEmail(em, person, client, at)) ?? createUser(em, settings, person, client, at)
  })

  if (typeof found === 'string') return found
  if (found.isNew) await requestConfirmation(deps, { ...found.user, userId: found.user.id }, at)
  const refusal = stateRefusal(found.user)

  if (refusal) return refusal
  const signedIn = await passFirstStep(em, deps.config, { user: found.user, client, at, factor: 'OpenID Connect', isLockable: false })

  return signedIn === 'invalid' ? 'blocked' : signedIn
}

/** Serialises what concerns one person. */
export function lockOf({ issuer, subject }: Person) {
  return `identity ${issuer} ${subject}`
}

interface Found {
  user: User
  isNew?: boolean
}

async function findKnown(em: EntityManager, { issuer, subject, email }: Person, at: Date): Promise<Found | undefined> {
  const identity = await em.findOne(Identity, { issuer, subject }, { populate: ['user'] })

  if (!identity) return undefined
  Object.assign(identity, { email, seenAt: at })

  return { user: identity.user as User }
}

/**
 * Connects the person to the user who has their address. Both sides must have verified it, or an address that was only claimed would
 * take over an account; and a user who is somebody at the provider already is not somebody else, such as the next owner of an address.
 * Admins connect in their settings only: who gives out addresses at the provider does not become one.
 */
async function findByEmail(em: EntityManager, person: Person, { ip }: Client, at: Date): Promise<Found | Refused | undefined> {
  const { issuer, email, isEmailVerified } = person

  if (email === '') return 'addressless'
  if (await claimEmail(em, email)) return undefined
  const found = isEmailVerified ? await findByConfirmedEmail(em, email) : null

  if (!found) return 'taken'

  return withLockedUser(em, found, async (em, user) => {
    if (user.isBot() || user.isAdmin || (await em.count(Identity, { user: user.id, issuer })) > 0) return 'taken'
    const refusal = stateRefusal(user)

    if (refusal) return refusal
    await connectIdentity(em, user, person, { ip, at, by: 'verified e-mail' })

    return { user }
  })
}

async function createUser(
  em: EntityManager,
  { allowsSignUp }: ProviderSettings,
  person: Person,
  { ip }: Client,
  at: Date
): Promise<Found | Refused> {
  const { email, isEmailVerified } = person
  const settings = await readInstanceSettings(em)

  if (!allowsSignUp && !isSelfService(settings)) return 'closed'
  if (settings.domainAllowlist.length > 0 && !(isEmailVerified && isAllowedDomain(settings, email))) return 'domain'
  const username = await freeUsername(em, person)
  const input = { username, name: person.name || username, email, isConfirmed: isEmailVerified, force_random_password: true }
  const user = await createAccount(em, settings, input, ip)

  await connectIdentity(em, user, person, { ip, at, by: 'sign-up' })

  return { user, isNew: true }
}

/** In the caller's transaction. Users hear of a new way to sign in to an account that they had before. */
export async function connectIdentity(
  em: EntityManager,
  user: User,
  { issuer, subject, email }: Person,
  { ip, at, by }: { ip: string; at: Date; by: string }
) {
  em.create(Identity, { user, issuer, subject, email, seenAt: at, createdAt: at })
  recordUserEvent(em, { user, ip }, user, 'identity_connected', { issuer, subject, by })
  if (by !== 'sign-up') await addMail(em, { kind: 'identity.connected', subjectId: user.id, data: { provider: new URL(issuer).host } })
}

function stateRefusal(user: User) {
  if (user.maySignIn()) return undefined

  return user.isPending() ? 'pending' : 'blocked'
}
