import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EntityManager } from '#platform/database/database.ts'
import { deriveKey } from '#platform/database/encryption.ts'
import { Invitation } from './invitation.ts'

type KeySource = Parameters<typeof deriveKey>[0]

const purpose = 'invitations'

/**
 * The secret in the link of an invitation. It is derived from a random salt and the key of the installation, so the database
 * alone does not reveal it, and a mail that is sent again has the same link.
 */
export async function invitationToken(source: KeySource, { id, salt }: Invitation) {
  const mac = createHmac('sha256', await deriveKey(source, purpose)).update(salt)

  return `${id}.${mac.digest('base64url')}`
}

export async function invitationUrl(config: KeySource & { baseUrl: string }, invitation: Invitation) {
  return `${config.baseUrl}/-/invites/${await invitationToken(config, invitation)}`
}

/** The invitation of a link, open or not; undefined when the link is wrong, or the invitation was used or withdrawn. */
export async function findInvitation(em: EntityManager, source: KeySource, token: string) {
  const [, id] = /^(\d{1,15})\.[\w-]{43}$/.exec(token) ?? []
  const invitation = id && (await em.findOne(Invitation, { id: Number(id) }, { populate: ['project', 'group', 'createdBy'] }))

  return invitation && isEqual(await invitationToken(source, invitation), token) ? invitation : undefined
}

function isEqual(one: string, other: string) {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
