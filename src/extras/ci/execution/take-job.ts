import { hashSecret, newSecret } from '#identity/secrets.ts'
import { JobToken } from '#identity/tokens/job-token.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { dependenciesOf, findArchives } from '../artifacts/dependencies.ts'
import type { Job } from '../jobs/job.ts'
import { changeJobs } from '../pipelines/process-pipeline.ts'
import type { Runner } from '../runners/runner.ts'
import { findPending, type Pending } from './job-store.ts'
import type { Work } from './variables.ts'

const maxAttempts = 5
/** After the job's own time, for uploads. */
const graceMs = 3600_000

/** Gives a runner the next job that it may run: of the project that runs fewest jobs, the oldest. Undefined without one. */
export async function takeJob(fork: () => EntityManager, runner: Runner, at: Date): Promise<Work | undefined | 'contended'> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await findPending(fork(), runner)

    if (!found) return undefined
    const work = await take(fork(), found, runner, at)

    // Another runner was faster.
    if (work) return work
  }

  return 'contended'
}

function take(em: EntityManager, { id, pipeline_id: pipelineId }: Pending, runner: Runner, at: Date): Promise<Work | undefined> {
  return changeJobs(em, pipelineId, at, async (jobs, pipeline, em) => {
    const job = jobs.find(job => job.id === id)

    if (job?.status !== 'pending' || !job.user) return undefined
    const project = await em.findOneOrFail(Project, { id: job.projectId }, { populate: ['namespace'] })

    const before = dependenciesOf(job, jobs)

    await em.populate(job, ['user'])
    await em.populate(before, ['reportedVariables'])
    job.start(at)
    job.runner = runner.id as never
    job.seenAt = at

    return { job, pipeline, project, runner, token: issueToken(em, job, at), before, dependencies: await findArchives(em, before) }
  })
}

function issueToken(em: EntityManager, { id: jobId, projectId, user, timeoutSeconds }: Job, at: Date) {
  const token = newSecret('glcbt-')

  em.create(JobToken, {
    jobId,
    projectId,
    user: user!,
    tokenHash: hashSecret(token),
    expiresAt: new Date(at.getTime() + timeoutSeconds * 1000 + graceMs)
  })

  return token
}
