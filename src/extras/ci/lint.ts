import type { Config } from '#config.ts'
import type { Code } from '#extras/source-code/find-code.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { CiConfig, JobConfig } from './config/job.ts'
import { askPlanner } from './plan/ask-planner.ts'
import { findTarget, isProtected, planTarget } from './plan/target.ts'
import { variablesFor } from './variables/variables-for.ts'

export interface LintRequest {
  /** Instead of the file of the repository. */
  content?: string | undefined
  /** The commit of the file and of what it includes; undefined while there are no commits. */
  sha: string | undefined
  /** The branch or tag of a dry run. */
  dryRunRef?: string | undefined
}

export interface LintResult extends Omit<CiConfig, 'jobs' | 'merged'> {
  mergedYaml: string | undefined
  jobs: JobConfig[]
}

/** Checks a configuration. A dry run evaluates its rules too, as a pipeline for the ref would. */
export async function lint(
  em: EntityManager,
  config: Config,
  { project, repo }: Code,
  { content, sha, dryRunRef }: LintRequest
): Promise<LintResult> {
  const target = dryRunRef === undefined ? undefined : await findTarget(repo, dryRunRef)

  if (dryRunRef !== undefined && !target) throw new NotFound('Reference')
  const stored = target ? await variablesFor(em, config, { project, isProtected: isProtected(project, target) }) : []
  const variables = stored.map(({ key, value }) => [key, value] as const)
  const forDryRun = repo && target && (await planTarget(config, project, repo, target, 'push', variables))
  const { config: read, mergedYaml, plan } = await askPlanner({ content, target: forDryRun, withMergedYaml: true }, repo, sha)

  return { ...read, mergedYaml, jobs: plan?.jobs ?? read.jobs }
}
