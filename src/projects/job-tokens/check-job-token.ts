import { isRemoved, type Version } from '../../http/deprecations/deprecations.ts'
import type { Caller } from '../../http/guards/guards.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Project } from '../project.ts'
import { allowsJobsOf } from './allowance-store.ts'

/** A job uses its own project, and those that allow it. The others do not exist for it. */
export async function checkJobToken(em: EntityManager, version: Version, caller: Caller | undefined, project: Project) {
  if (caller?.by.kind !== 'job' || caller.by.projectId === project.id || project.visibility === 'public') return
  if (!project.limitsJobTokens && !isRemoved(version, 'job-token-outbound-limit')) return
  if (!(await allowsJobsOf(em, project.id, caller.by.projectId))) throw new NotFound('Project')
}
