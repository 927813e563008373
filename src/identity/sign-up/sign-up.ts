import { createHash } from 'node:crypto'
import { type InstanceDefaults, readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { createUser, type NewUser } from '../users/create-user.ts'
import { User } from '../users/user.ts'
import { isEmail } from '../users/user-attributes.ts'
import { signUpLinkExpiry } from './sign-up-link.ts'

const periodMs = 10 * 60_000

/** Whether people can sign up without an invitation: their address has to be confirmed first. */
export function isSignUpOpen({ signUp }: InstanceDefaults, { smtp }: { smtp: { url?: string | undefined } }) {
  return Boolean(smtp.url) && isSelfService({ signUp })
}

/** Whether an account takes no invitation. */
export function isSelfService({ signUp }: Pick<InstanceDefaults, 'signUp'>) {
  return signUp === 'domains' || signUp === 'approval'
}

/** Mails the link that signs up, or says that the address has an account: the page answers the same, with the same statements. */
export async function requestSignUp(em: EntityManager, email: string, at: Date) {
  checkEmail(await readInstanceSettings(em), email)
  const key = `sign-up-${createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32)}-${Math.floor(at.getTime() / periodMs)}`

  await addMail(em, { kind: 'sign-up.link', subjectId: 0, data: { email, expiresAt: signUpLinkExpiry(at).toISOString() }, key })
}

/** Creates a user whose address a link has confirmed. Where admins approve, the user waits, and admins are told. */
export function signUp(em: EntityManager, input: Pick<NewUser, 'name' | 'username' | 'email' | 'password'>, ip: string) {
  return em.transactional(async em => {
    const settings = await readInstanceSettings(em)

    checkEmail(settings, input.email)

    return createAccount(em, settings, { ...input, isConfirmed: true }, ip)
  })
}

/** Of somebody who creates it themselves. Within a transaction. */
export async function createAccount(em: EntityManager, { signUp }: InstanceDefaults, input: NewUser, ip: string) {
  const isPending = signUp === 'approval'
  const user = await createUser(em, { ip }, { ...input, isPending })

  if (isPending) await tellAdmins(em, user)

  return user
}

export function isAllowedDomain({ domainAllowlist }: InstanceDefaults, email: string) {
  return domainAllowlist.length === 0 || domainAllowlist.includes(email.toLowerCase().split('@')[1]!)
}

/** Refuses where nobody can sign up without an invitation, and addresses at other domains. */
function checkEmail(settings: InstanceDefaults, email: string) {
  const { domainAllowlist } = settings

  if (!isSelfService(settings)) throw new Forbidden('Sign-up is closed')
  if (!isEmail(email)) throw new ValidationFailed({ email: ['is invalid'] })
  if (!isAllowedDomain(settings, email)) {
    throw new ValidationFailed({ email: [`must be at ${domainAllowlist.slice(0, 10).join(', ')}`] })
  }
}

async function tellAdmins(em: EntityManager, { id }: User) {
  const admins = await em.find(User, { isAdmin: true, state: 'active', kind: 'human' }, { fields: ['id'], limit: 100 })

  for (const admin of admins) await addMail(em, { kind: 'sign-up.pending', subjectId: admin.id, actorId: id })
}
