import type { Config } from '../../config.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Code } from '../../source-code/find-code.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import type { CiConfig, JobConfig } from '../config/job.ts'
import { readConfig } from '../config/read-config.ts'
import { filesOf } from '../includes/commit-files.ts'
import { noFiles } from '../includes/config-files.ts'
import { planPipeline } from '../plan/plan-pipeline.ts'
import { contextOf, findTarget, isProtected } from '../plan/target.ts'
import { variablesFor } from '../variables/variables-for.ts'

export interface LintRequest {
  /** Instead of the file of the repository. */
  content?: string | undefined
  /** The commit of the file and of what it includes; undefined while there are no commits. */
  sha: string | undefined
  /** The branch or tag of a dry run. */
  dryRunRef?: string | undefined
}

export interface LintResult extends Omit<CiConfig, 'jobs'> {
  jobs: JobConfig[]
}

/** Checks a configuration. A dry run evaluates its rules too, as a pipeline for the ref would. */
export async function lint(
  em: EntityManager,
  config: Config,
  { project, repo }: Code,
  { content, sha, dryRunRef }: LintRequest
): Promise<LintResult> {
  const files = repo && sha ? filesOf(repo, sha) : noFiles
  const target = dryRunRef === undefined ? undefined : await findTarget(repo, dryRunRef)
  const stored = target ? await variablesFor(em, config, { project, isProtected: isProtected(project, target) }) : []
  const variables = stored.map(({ key, value }) => [key, value] as const)
  const context = repo && target ? await contextOf(config, project, repo, target, 'push', variables) : undefined
  const read = await readConfig(content ?? (await files.read('.gitlab-ci.yml')) ?? '', files, context?.variables)

  if (dryRunRef !== undefined && !context) throw new NotFound('Reference')
  if (!context || read.errors.length > 0) return read

  try {
    const { jobs } = await planPipeline(read, { ...context, files })

    return { ...read, jobs }
  } catch (error) {
    if (error instanceof InvalidConfig) return { ...read, errors: error.messages, jobs: [] }
    throw error
  }
}
