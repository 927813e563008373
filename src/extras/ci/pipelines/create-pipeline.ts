import type { RequiredEntityData } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { Code } from '#extras/source-code/find-code.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { lockCounters, setCounters } from '#projects/counter-store.ts'
import type { Project } from '#projects/project.ts'
import { readCommit } from '#repositories/objects/read-commits.ts'
import { linesOf } from '../config/lines-of.ts'
import { valueAt, without } from '../config/mapping.ts'
import { Job } from '../jobs/job.ts'
import { parseDuration } from '../keywords/duration.ts'
import { askPlanner } from '../plan/ask-planner.ts'
import type { Target } from '../plan/context.ts'
import type { PlannedJob } from '../plan/planned-job.ts'
import { findTarget, isProtected, planTarget } from '../plan/target.ts'
import { StatusEvents } from '../status-events.ts'
import { variablesFor } from '../variables/variables-for.ts'
import { Pipeline } from './pipeline.ts'
import { encryptVariables, type GivenVariable } from './pipeline-variables.ts'
import { advance } from './process-pipeline.ts'

export interface NewPipeline {
  ref: string
  source: string
  variables: GivenVariable[]
}

const defaultTimeout = 3600
const chunkSize = 50

/** Makes a pipeline of the configuration at a branch or tag, and starts its first jobs. */
export async function createPipeline(
  em: EntityManager,
  config: Config,
  { project, repo }: Code,
  by: Actor,
  { ref, source, variables }: NewPipeline,
  at: Date
) {
  const userId = by.user!.id
  const target = await findTarget(repo, ref)

  if (!repo || !target) throw new ValidationFailed({ base: ['Reference not found'] })
  const { name, jobs, stages } = await plan(em, config, project, { repo, target, source, variables })
  const values = {
    ...target,
    name,
    projectId: project.id,
    user: userId,
    commit: await readCommit(repo, target.sha),
    source,
    variables: await encryptVariables(config, variables, project.id)
  }

  return em.transactional(async em => {
    const pipeline = em.create(Pipeline, { ...values, iid: await nextIid(em, project.id) })

    const events = new StatusEvents(em, by)

    await em.flush()
    await events.add([pipeline])
    const stored = await insertFirstJobs(
      em,
      pipeline,
      jobs.map(job => ({ ...rowOf(job, stages), projectId: project.id, pipeline, user: userId })),
      at
    )

    await events.add([pipeline, ...stored])

    return pipeline
  })
}

/** A pipeline may have thousands of jobs: they are advanced before they are stored, a few at a time. */
async function insertFirstJobs(em: EntityManager, pipeline: Pipeline, rows: RequiredEntityData<Job>[], at: Date) {
  const jobs = rows.map(row => em.create(Job, { ...row, createdAt: at }, { persist: false }))

  advance(pipeline, jobs, at)
  for (let from = 0; from < jobs.length; from += chunkSize) await em.insertMany(jobs.slice(from, from + chunkSize))

  return jobs
}

interface Request extends Pick<NewPipeline, 'source' | 'variables'> {
  repo: GitDirectory
  target: Target
}

/** Reasons why there is no pipeline are the client's to mend: 400. */
async function plan(em: EntityManager, config: Config, project: Project, { repo, target, source, variables }: Request) {
  const stored = await variablesFor(em, config, { project, isProtected: isProtected(project, target) })
  const given = [...stored, ...variables].map(({ key, value }) => [key, value] as const)
  const request = { target: await planTarget(config, project, repo, target, source, given), withCacheKeys: true }
  const { config: read, plan, isMissing } = await askPlanner(request, repo, target.sha)

  if (!plan) throw new ValidationFailed({ base: isMissing ? ['Missing CI config file'] : read.errors })

  return { ...plan, stages: read.stages }
}

function rowOf({ name, base, stage, when, allowFailure, needs, variables, keywords, startIn }: PlannedJob, stages: string[]) {
  return {
    name,
    base,
    stage,
    stageIndex: stages.indexOf(stage),
    startWhen: when,
    allowFailure,
    needs: needs ?? null,
    variables: variables as Record<string, string>,
    keywords: {
      ...without(keywords, 'rules', 'only', 'except', 'needs', 'variables', 'inherit'),
      ...(startIn !== undefined && { start_in: startIn })
    },
    tags: linesOf(valueAt(keywords, 'tags')),
    timeoutSeconds: parseDuration(valueAt(keywords, 'timeout') ?? defaultTimeout) ?? defaultTimeout
  }
}

async function nextIid(em: EntityManager, projectId: number) {
  const last = (await lockCounters(em, 'pipelines', [projectId])).get(projectId)

  // The project was deleted in the meantime.
  if (last === undefined) throw new NotFound('Project')
  await setCounters(em, 'pipelines', [[projectId, last + 1]])

  return last + 1
}
