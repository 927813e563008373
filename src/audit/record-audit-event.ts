import type { FastifyRequest } from 'fastify'
import type { Account } from '../http/guards/guards.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { AuditEvent, type AuditedType } from './audit-event.ts'

/** Who did it, and from where; with sudo, also the admin behind it. */
export interface Actor {
  user?: Account
  sudoer?: Account
  ip: string
}

export interface Deed {
  /** `noun_verbed`, such as `member_added`. */
  name: string
  entity: { type: AuditedType; id: number; path: string }
  target?: { type: string; id: number | string; details: string }
  /** What changed, from what to what, and the like. */
  details?: Record<string, unknown>
}

export function actorOf({ caller, ip }: FastifyRequest): Actor {
  return { user: caller?.user, sudoer: caller?.sudoer, ip }
}

/** Joins the unit of work at hand: what was done and the record of it are stored together, or neither. */
export function record(em: EntityManager, { user, sudoer, ip }: Actor, { name, entity, target, details }: Deed) {
  em.create(AuditEvent, {
    name,
    authorId: user?.id ?? null,
    entityType: entity.type,
    entityId: entity.id,
    details: {
      ...details,
      author_name: user?.name ?? '(nobody)',
      author_username: user?.username,
      ...(sudoer && { impersonated_by: sudoer.username, impersonated_by_id: sudoer.id }),
      target_type: target?.type ?? entity.type,
      target_id: target?.id ?? entity.id,
      target_details: target?.details ?? entity.path,
      entity_path: entity.path,
      ip_address: ip
    }
  })
}
