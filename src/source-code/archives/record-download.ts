import { type Actor, record } from '../../audit/record-audit-event.ts'
import { isRemoved, type Version } from '../../http/deprecations/deprecations.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Project } from '../../projects/project.ts'

/** Records a download of the code. From 17.0, downloads of public projects are not recorded. */
export async function recordDownload(em: EntityManager, version: Version, project: Project, by: Actor) {
  if (project.visibility === 'public' && isRemoved(version, 'public-download-audit')) return

  await em.transactional(async em => record(em, by, { name: 'repository_download_operation', entity: project.audited() }))
}
