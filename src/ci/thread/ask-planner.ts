import { serviceUnavailable } from '../../http/problems/problems.ts'
import type { GitDirectory } from '../../platform/git/git-directory.ts'
import { type Services, ThreadClient, ThreadFailure } from '../../platform/process/thread-client.ts'
import { readEntries } from '../../source-code/tree/read-entries.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import type { CiConfig } from '../config/job.ts'
import { listFiles, readFile } from '../includes/commit-files.ts'
import type { PlanTarget } from '../plan/context.ts'
import type { Plan } from '../plan/plan-pipeline.ts'
import { changedSince } from '../plan/target.ts'

export interface PlanRequest {
  /** A `.gitlab-ci.yml`. */
  content: string
  /** Undefined: the configuration is only checked. */
  target?: PlanTarget | undefined
  /** Whether the jobs get the keys of their caches. */
  withCacheKeys?: boolean
  withMergedYaml?: boolean
}

export interface PlanResponse {
  config: Omit<CiConfig, 'merged'>
  /** The whole configuration, if it could be read so far. */
  mergedYaml?: string | undefined
  /** Undefined without a target, and when the configuration has errors. */
  plan?: Plan
}

const thread = new ThreadClient<PlanRequest, PlanResponse>(new URL('./plan-thread.ts', import.meta.url), {
  heapMb: 256,
  ms: 15_000,
  waiting: 20
})
const failures = { time: 'takes too long to read', memory: 'needs too much memory' }

/** Reads a configuration and plans its pipeline, in a thread: who sends it decides what that costs. `commit` has the files that it includes. */
export async function askPlanner(request: PlanRequest, commit?: { repo: GitDirectory; sha: string }): Promise<PlanResponse> {
  try {
    return await thread.ask(request, commit ? filesIn(commit) : noFiles)
  } catch (error) {
    if (error instanceof InvalidConfig) return invalid(...error.messages)
    if (!(error instanceof ThreadFailure)) throw error
    if (error.reason === 'busy') throw serviceUnavailable(5)

    return invalid(`The configuration ${failures[error.reason]}: make it smaller or simpler.`)
  }
}

function filesIn({ repo, sha }: { repo: GitDirectory; sha: string }): Services {
  return {
    read: (path: string) => readFile(repo, sha, path),
    list: () => listFiles(repo, sha),
    find: (paths: string[]) => readEntries(repo, sha, paths),
    changedSince: (revision: string) => changedSince(repo, revision, sha)
  }
}

const noFiles: Services = { read: async () => undefined, list: async () => new Uint8Array(), find: async () => [] }

function invalid(...errors: string[]): PlanResponse {
  return { config: { errors, warnings: [], included: [], stages: [], variables: {}, workflow: {}, jobs: [] } }
}
