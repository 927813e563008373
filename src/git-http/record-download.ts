import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { isRemoved, type Version } from '#lib/deprecations/stages.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'

/** Records that the code of a project was downloaded; from version 17.0, system hooks are told of public projects, and nothing is stored. */
export async function recordDownload(em: EntityManager, config: Version, actor: Actor, project: Project) {
  if (project.visibility === 'public' && isRemoved(config, 'public-download-audit')) return streamDownload(em, actor, project)
  recordAuditEvent(em, actor, { name: 'repository_download_operation', entity: project.audited() })
  await em.flush()
}

function streamDownload(em: EntityManager, { user, ip, chain }: Actor, { id, fullPath }: Project) {
  return addWebhookEvent(em, {
    kind: 'audit',
    projectId: id,
    actorId: user?.id ?? null,
    data: {
      name: 'public_repository_download_operation',
      at: new Date().toISOString(),
      entityId: id,
      details: { entity_path: fullPath, author_id: user?.id ?? null, author_name: user?.name ?? null, ip_address: ip }
    },
    chain
  })
}
