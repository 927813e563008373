import Type, { type Static } from 'typebox'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { InvalidInput, ValidationFailed } from '#lib/refusals.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { encrypt, type KeySource } from '#platform/database/encryption.ts'
import type { Project } from '#projects/project.ts'
import { readDsn } from './dsn.ts'
import { deleteForwarding, findForwarding, saveForwarding } from './forwarding-store.ts'
import { forwardingCache } from './project-forwardings.ts'
import { dsnOwner } from './send-kept.ts'

export const ForwardingBody = Type.Object({ dsn: Type.String({ maxLength: 1000 }), active: Type.Boolean() })

type Config = KeySource & { namespace: string; baseUrl: string }

/** Sends on to a DSN what the project receives. An empty DSN keeps the one before. */
export async function changeForwarding(
  em: EntityManager,
  config: Config,
  project: Project,
  { dsn, active: isActive }: Static<typeof ForwardingBody>,
  by: Actor
) {
  if (dsn === '' && !(await findForwarding(em, project.id))) throw new ValidationFailed({ dsn: ['enter a DSN'] })
  checkDsn(config, project, dsn)
  const sealed = dsn === '' ? undefined : await encrypt(config, dsn.trim(), dsnOwner(project.id))

  await em.transactional(async em => {
    await saveForwarding(em, project.id, { dsn: sealed, isActive })
    recordAuditEvent(em, by, {
      name: 'error_forwarding_updated',
      entity: project.audited(),
      details: { active: isActive, newDsn: dsn !== '' }
    })
    await invalidateCache(em, config, forwardingCache, String(project.id))
  })
}

export async function removeForwarding(em: EntityManager, config: Config, project: Project, by: Actor) {
  await em.transactional(async em => {
    await deleteForwarding(em, project.id)
    recordAuditEvent(em, by, { name: 'error_forwarding_removed', entity: project.audited() })
    await invalidateCache(em, config, forwardingCache, String(project.id))
  })
}

function checkDsn({ baseUrl }: Config, { id }: Project, dsn: string) {
  if (dsn === '') return
  try {
    const { envelopeUrl } = readDsn(dsn)

    if (envelopeUrl.origin === new URL(baseUrl).origin && envelopeUrl.pathname.endsWith(`/${id}/envelope/`))
      throw new InvalidInput('This is the DSN of this project itself')
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new ValidationFailed({ dsn: [error.reason ?? 'is not a DSN'] })
  }
}
