import type { FilterQuery } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import type { Job } from '../jobs/job.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { Runner } from './runner.ts'
import { runnerIdsOfProject } from './runner-store.ts'

/** What no runner of the project is, so that none takes the job; `free` when there is one that may. */
export interface Wait {
  lacks: 'registered' | 'active' | 'tagged' | 'untagged' | 'unprotected' | 'online' | 'free'
  tags: string[]
}

/** Of more, those that were heard of last decide. */
const maxRunners = 1000

/** Why the pending jobs among these wait: the conditions of `findPending`, one after the other. The jobs have their pipelines. */
export async function whyWaiting(em: EntityManager, project: Project, jobs: Job[], at = new Date()): Promise<Wait[]> {
  const pending = jobs.filter(({ status }) => status === 'pending')

  if (pending.length === 0) return []
  const runners = await em.find(Runner, { id: { $in: await runnerIdsOfProject(em, project.id) } } as FilterQuery<Runner>, {
    orderBy: { contactedAt: 'desc nulls last' },
    limit: maxRunners
  })

  return pending.map(job => ({ lacks: whatLacks(job, isOnDefaultBranch(job, project), runners, at), tags: job.tags }))
}

function isOnDefaultBranch({ pipeline }: Job, { defaultBranch }: Project) {
  const { isTag, ref } = pipeline as Pipeline

  return !isTag && ref === defaultBranch
}

function whatLacks({ tags }: Job, isProtected: boolean, runners: Runner[], at: Date): Wait['lacks'] {
  const conditions: [Wait['lacks'], (runner: Runner) => boolean][] = [
    ['active', runner => !runner.isPaused],
    ['tagged', runner => tags.every(tag => runner.tags.includes(tag))],
    ['untagged', runner => runner.runsUntagged || tags.length > 0],
    ['unprotected', runner => runner.accessLevel === 'not_protected' || isProtected],
    ['online', runner => runner.statusAt(at) === 'online']
  ]
  let left = runners

  if (left.length === 0) return 'registered'
  for (const [lacks, holds] of conditions) {
    left = left.filter(holds)
    if (left.length === 0) return lacks
  }

  return 'free'
}
