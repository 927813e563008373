import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import { ClientKey, newClientKey } from './client-key.ts'

export interface ClientKeyChanges {
  name?: string | null
  eventsPerMinute?: number | null
  active?: boolean
  allowedOrigins?: string[]
}

interface Subject {
  project: Project
  key: ClientKey
}

export function createClientKey(em: EntityManager, project: Project, values: Omit<ClientKeyChanges, 'active'>, by: Actor) {
  return em.transactional(async em => {
    const key = em.create(ClientKey, { projectId: project.id, publicKey: newClientKey(), ...values })

    await em.flush()
    audit(em, 'created', { project, key }, by)

    return key
  })
}

/** Undefined values stay unchanged. */
export async function changeClientKey(em: EntityManager, config: Config, subject: Subject, changes: ClientKeyChanges, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, subject.key)
    em.assign(subject.key, changes, { ignoreUndefined: true })
    audit(em, 'updated', subject, by)
  })
  await invalidateCache(em, config, 'client-key', subject.key.publicKey)
}

export async function deleteClientKey(em: EntityManager, config: Config, subject: Subject, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, subject.key)
    audit(em, 'removed', subject, by)
    em.remove(subject.key)
  })
  await invalidateCache(em, config, 'client-key', subject.key.publicKey)
}

function audit(em: EntityManager, action: string, { project, key: { id, name } }: Subject, by: Actor) {
  recordAuditEvent(em, by, {
    name: `client_key_${action}`,
    entity: project.audited(),
    target: { type: 'ClientKey', id, details: name ?? '' }
  })
}
