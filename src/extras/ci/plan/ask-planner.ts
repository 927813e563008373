import { Unavailable } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { type Services, ThreadClient, ThreadFailure } from '#platform/process/thread-client.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { listFiles, readFile } from '../config/commit-files.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import type { CiConfig } from '../config/job.ts'
import type { PlanTarget } from './context.ts'
import type { Plan } from './plan-pipeline.ts'
import { changedSince } from './target.ts'

export interface PlanRequest {
  /** Instead of the `.gitlab-ci.yml` of the commit. */
  content?: string | undefined
  /** Undefined: the configuration is only checked. */
  target?: PlanTarget | undefined
  /** Whether the jobs get the keys of their caches. */
  withCacheKeys?: boolean
  withMergedYaml?: boolean
}

export interface PlanResponse {
  config: Omit<CiConfig, 'merged'>
  /** The commit has no `.gitlab-ci.yml`. */
  isMissing?: boolean
  /** The whole configuration, if it could be read so far. */
  mergedYaml?: string | undefined
  /** Undefined without a target, and when the configuration has errors. */
  plan?: Plan
}

const thread = new ThreadClient<PlanRequest & { content: string }, PlanResponse>(new URL('./plan-thread.ts', import.meta.url), {
  heapMb: 256,
  ms: 15_000,
  waiting: 20
})
const failures = { time: 'takes too long to read', memory: 'needs too much memory' }

/** Reads a configuration and plans its pipeline, in a thread: who sends it decides what that costs. `commit` has the files that it includes. */
export async function askPlanner(request: PlanRequest, repo: GitDirectory | undefined, sha: string | undefined): Promise<PlanResponse> {
  try {
    const content = request.content ?? (repo && sha ? await readFile(repo, sha, '.gitlab-ci.yml') : undefined)
    const response = await thread.ask({ ...request, content: content ?? '' }, { ...filesAt(repo, sha), ...changesIn(repo, request.target) })

    return { ...response, isMissing: content === undefined }
  } catch (error) {
    if (error instanceof InvalidConfig) return invalid(...error.messages)
    if (!(error instanceof ThreadFailure)) throw error
    if (error.reason === 'busy') throw new Unavailable(5)

    return invalid(`The configuration ${failures[error.reason]}: make it smaller or simpler.`)
  }
}

function filesAt(repo: GitDirectory | undefined, sha: string | undefined): Services {
  if (!repo || !sha) return { read: async () => undefined, list: async () => new Uint8Array(), find: async () => [] }

  return {
    read: (path: string) => readFile(repo, sha, path),
    list: () => listFiles(repo, sha),
    find: (paths: string[]) => readEntries(repo, sha, paths)
  }
}

/** Changes on the branch or tag that the pipeline would run for, which may differ from that of the files. */
function changesIn(repo: GitDirectory | undefined, target: PlanTarget | undefined): Services {
  return repo && target ? { changedSince: (revision: string) => changedSince(repo, revision, target.sha) } : {}
}

function invalid(...errors: string[]): PlanResponse {
  return { config: { errors, warnings: [], included: [], stages: [], variables: {}, workflow: {}, jobs: [] } }
}
