import type { FastifyRequest } from 'fastify'
import type { Account } from '#lib/caller.ts'
import { eventChainOf } from '#lib/event-chain.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { AuditEvent, type AuditedType } from './audit-event.ts'

/** Who makes a change, and from where. */
export interface Actor {
  user?: Account
  /** Who it is, where it is no user. */
  name?: string
  /** The admin who acts as the user through sudo. */
  sudoer?: Account
  /** Scopes of the credential in use; all for a session and for the system. */
  scopes?: string[] | 'all'
  /** The OAuth application that acts for the user. */
  applicationId?: number | null
  /** The UUID of the webhook event that led to the change. */
  chain?: string | undefined
  ip: string
}

export interface AuditEntry {
  /** `noun_verbed`, such as `member_added`. */
  name: string
  entity: { type: AuditedType; id: number; path: string }
  /** The entity itself unless given. */
  target?: { type: string; id: number | string; details: string }
  /** Such as the values before and after. */
  details?: Record<string, unknown>
}

/** The entity of an event that concerns the whole installation. */
export const instance = { type: 'Instance', id: 0, path: 'instance' } as const

export function actorOf(request: FastifyRequest): Actor {
  const { caller, ip } = request

  return {
    user: caller?.user,
    sudoer: caller?.sudoer,
    scopes: caller?.scopes,
    applicationId: caller?.by.kind === 'oauth' ? caller.by.applicationId : undefined,
    ip,
    chain: eventChainOf(request)
  }
}

/** Adds an audit event to the caller's unit of work, so that the change and its event are stored together. */
export function recordAuditEvent(
  em: EntityManager,
  { user, name: actorName, sudoer, applicationId, ip }: Actor,
  { name, entity, target, details }: AuditEntry
) {
  return em.create(AuditEvent, {
    name,
    authorId: user?.id ?? null,
    entityType: entity.type,
    entityId: entity.id,
    details: {
      ...details,
      author_name: user?.name ?? actorName ?? '(unknown)',
      author_username: user?.username,
      ...(sudoer && { impersonated_by: sudoer.username, impersonated_by_id: sudoer.id }),
      ...(applicationId && { oauth_application_id: applicationId }),
      target_type: target?.type ?? entity.type,
      target_id: target?.id ?? entity.id,
      target_details: target?.details ?? entity.path,
      entity_path: entity.path,
      ip_address: ip
    }
  })
}

/** As `recordAuditEvent`, in the caller's transaction, for an event that is delivered to webhooks. */
export async function publishAuditEvent(em: EntityManager, actor: Actor, entry: AuditEntry) {
  const { name, authorId, entityType, entityId, details } = recordAuditEvent(em, actor, entry)

  await addWebhookEvent(em, {
    kind: 'audit',
    projectId: entityType === 'Project' ? entityId : null,
    groupId: entityType === 'Group' ? entityId : null,
    actorId: authorId,
    data: { name, at: new Date().toISOString(), entityId, details },
    chain: actor.chain
  })
}
