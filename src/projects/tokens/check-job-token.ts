import type { Caller } from '#lib/caller.ts'
import { isRemoved, type Version } from '#lib/deprecations/stages.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '../project.ts'
import { allowsJobsOf, limitsReach } from './allowance-store.ts'

const outboundLimit = 'job-token-outbound-limit'

/** A job uses its own project, and those that allow it and that its own project lets it reach. The others do not exist for it. */
export async function checkJobToken(em: EntityManager, version: Version, caller: Caller | undefined, project: Project) {
  if (caller?.by.kind !== 'job' || caller.by.projectId === project.id || project.visibility === 'public') return
  const isOutboundGone = isRemoved(version, outboundLimit)

  if (!isOutboundGone && (await limitsReach(em, caller.by.projectId))) throw new NotFound('Project')
  if (!project.limitsJobTokens && !isOutboundGone) return
  if (!(await allowsJobsOf(em, project.id, caller.by.projectId))) throw new NotFound('Project')
}
