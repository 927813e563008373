import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound, ValidationFailed } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { addMember, authorizeChange } from '../members/change-members.ts'
import { lockSource, type MemberSource, ownedBy } from '../members/member-source.ts'
import { AccessRequest } from './access-request.ts'
import { findApprovers } from './approver-store.ts'

const maxRequests = 1000

/** Users ask once, for what they see and have no role in. */
export async function requestAccess(em: EntityManager, source: MemberSource, viewer: Viewer, by: Actor) {
  const { id } = viewer

  if (source.role > 0 || viewer.isBot()) throw new Forbidden()

  return em.transactional(async em => {
    await lockSource(em, source)
    if ((await em.count(AccessRequest, { ...ownedBy(source), user: id })) > 0) {
      throw new ValidationFailed({ user_id: ['has requested access already'] })
    }
    if ((await em.count(AccessRequest, ownedBy(source))) >= maxRequests) {
      throw new ValidationFailed({ base: [`has ${maxRequests} access requests already`] })
    }
    const request = em.create(AccessRequest, { ...ownedBy(source), user: id })

    recordAuditEvent(em, by, { name: 'access_requested', entity: source, details: { add: 'access_request' } })
    await em.flush()
    await mailApprovers(em, source, id, request.createdAt)

    return request.createdAt
  })
}

/** Makes the user a member, with at most the role of who approves. */
export async function approveRequest(em: EntityManager, source: MemberSource, userId: number, accessLevel: number, by: Actor) {
  authorizeChange(source, accessLevel)
  await em.transactional(async em => {
    const request = await lockRequest(em, source, userId)

    await addMember(em, source, request.user as User, { accessLevel, expiresAt: null }, by)
    await addMail(em, { kind: 'access.granted', owner: source, subjectId: userId, actorId: by.user?.id ?? null, data: { accessLevel } })
    em.remove(request)
  })
}

/** Users withdraw their own requests; others are denied by those who manage members. */
export async function denyRequest(em: EntityManager, source: MemberSource, userId: number, by: Actor) {
  if (by.user?.id !== userId) authorizeChange(source)
  await em.transactional(async em => {
    const request = await lockRequest(em, source, userId)
    const user = request.user as User

    recordAuditEvent(em, by, {
      name: 'access_request_removed',
      entity: source,
      target: { type: 'User', id: user.id, details: user.username },
      details: { remove: 'access_request' }
    })
    if (by.user?.id !== userId) await addMail(em, { kind: 'access.denied', owner: source, subjectId: userId, actorId: by.user?.id ?? null })
    em.remove(request)
  })
}

/** Whether the user waits for an approval. */
export async function hasRequested(em: EntityManager, source: Pick<MemberSource, 'type' | 'id'>, userId: number) {
  return (await em.count(AccessRequest, { ...ownedBy(source), user: userId })) > 0
}

/** Mails a request to the ten managers of the members who were active last, to each at most once a day about one user. */
async function mailApprovers(em: EntityManager, source: MemberSource, actorId: number, at: Date) {
  const day = at.toISOString().slice(0, 10)

  for (const userId of await findApprovers(em, source)) {
    const key = ['access', source.type, source.id, actorId, userId, day].join('-')

    await addMail(em, { kind: 'access.requested', owner: source, subjectId: userId, actorId, key })
  }
}

async function lockRequest(em: EntityManager, source: MemberSource, userId: number) {
  const request = await em.findOne(AccessRequest, { ...ownedBy(source), user: userId }, { populate: ['user'] })

  if (!request) throw new NotFound('Access Request')
  await lockForChange(em, request)

  return request
}
