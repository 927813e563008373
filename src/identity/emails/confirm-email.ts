import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { deriveKey } from '#platform/database/encryption.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { withLockedUser } from '../users/find-user.ts'
import { User } from '../users/user.ts'
import { UserEmail } from './user-email.ts'

type KeySource = Parameters<typeof deriveKey>[0]

const purpose = 'e-mail confirmations'
const unconfirmedDays = 3

/** For the link that is sent to the address. It proves that a user reads the mail of an address, and needs no storage. */
export async function confirmationToken(source: KeySource, userId: number, email: string) {
  return tokenOf(await deriveKey(source, purpose), userId, email)
}

/** The address of a user that a link is for; undefined when the link is invalid or the address is no longer the user's. */
export async function findByToken(em: EntityManager, source: KeySource, token: string) {
  const [, id] = /^(\d{1,15})\.[\w-]{43}$/.exec(token) ?? []
  const user = id && (await em.findOne(User, { id: Number(id) }))

  if (!user) return undefined
  const key = await deriveKey(source, purpose)
  const addresses = [user, ...(await em.find(UserEmail, { userId: user.id }))]
  const address = addresses.find(({ email }) => isEqual(tokenOf(key, user.id, email), token))

  return address && { user, email: address.email }
}

/** Confirming an address twice changes nothing the second time. Undefined like `findByToken`. */
export async function confirmEmail(em: EntityManager, source: KeySource, token: string, { ip, at }: { ip: string; at: Date }) {
  const found = await findByToken(em, source, token)

  if (!found) return undefined
  await withLockedUser(em, found.user, async (em, user) => {
    const address = user.email === found.email ? user : await em.findOne(UserEmail, { userId: user.id, email: found.email })

    if (!address || address.confirmedAt) return
    address.confirmedAt = at
    recordUserEvent(em, { user, ip }, user, 'email_confirmed', { email: address.email })
  })

  return found
}

function tokenOf(key: Buffer, userId: number, email: string) {
  return `${userId}.${createHmac('sha256', key).update(`${userId} ${email.toLowerCase()}`).digest('base64url')}`
}

function isEqual(one: string, other: string) {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** An address that is not confirmed must not stay unavailable to its real owner. */
export async function deleteUnconfirmedEmails(em: EntityManager, at: Date) {
  await em
    .getKysely<Tables>()
    .deleteFrom('user_emails')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<', new Date(at.getTime() - unconfirmedDays * 24 * 3600_000) as never)
    .execute()
}
