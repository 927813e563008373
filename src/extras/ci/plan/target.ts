import type { Config } from '#config.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { findRef } from '#repositories/objects/list-refs.ts'
import { readCommit } from '#repositories/objects/read-commits.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'
import type { PlanTarget, Target } from './context.ts'
import { predefinedVariables } from './predefined-variables.ts'

/** The branch or tag of this name, branches first. */
export async function findTarget(repo: GitDirectory | undefined, given: string): Promise<Target | undefined> {
  const ref = given.replace(/^refs\/(heads|tags)\//, '')
  const branch = given.startsWith('refs/tags/') ? undefined : await findRef(repo, 'refs/heads/', ref)
  const found = branch ?? (given.startsWith('refs/heads/') ? undefined : await findRef(repo, 'refs/tags/', ref))

  return found?.commit ? { ref, isTag: !branch, sha: found.commit } : undefined
}

/** Only maintainers rewrite the default branch: protected variables and runners are for its jobs. */
export function isProtected({ defaultBranch }: Pick<Project, 'defaultBranch'>, { ref, isTag }: Pick<Target, 'ref' | 'isTag'>) {
  return !isTag && ref === defaultBranch
}

/** What a pipeline for this branch or tag would run for. Variables of the caller win. */
export async function planTarget(
  config: Pick<Config, 'baseUrl' | 'serviceVersion'>,
  project: Project,
  repo: GitDirectory,
  target: Target,
  source: string,
  given: Iterable<readonly [string, string]> = []
): Promise<PlanTarget> {
  const commit = await readCommit(repo, target.sha)

  return { ...target, source, variables: new Map([...predefinedVariables(config, project, target, commit, source), ...given]) }
}

/** The files that differ from where the two parted, as git prints them. Undefined without such a revision. */
export async function changedSince(repo: GitDirectory, revision: string, sha: string): Promise<Uint8Array | undefined> {
  const base = await resolveCommit(repo, revision)

  if (!base) return undefined
  const start = (await repo.find(['merge-base', base, sha])) ?? base

  return repo.run(['diff', '--name-only', '-z', '--no-renames', start, sha, '--'])
}
