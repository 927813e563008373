import { type Actor, record } from '../audit/record-audit-event.ts'
import { isRemoved, type Version } from '../http/deprecations/deprecations.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Project } from '../projects/project.ts'

/** Records that the code of a project was downloaded; from version 17.0 not for public projects. */
export async function recordDownload(em: EntityManager, config: Version, actor: Actor, project: Project) {
  if (project.visibility === 'public' && isRemoved(config, 'public-download-audit')) return
  record(em, actor, { name: 'repository_download_operation', entity: project.audited() })
  await em.flush()
}
