import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { changeGroup } from '../groups/change-group.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { listCommits, maxCommits, type ReleaseCommit, replaceCommits } from '../releases/commit-store.ts'
import { fixedErrors } from './fixed-errors.ts'
import {
  addFixes,
  type DueDeploy,
  type DueRelease,
  endDeploy,
  endFix,
  endLinking,
  listDeployedFixes,
  listDueDeploys,
  listReleasesBefore,
  takeDueReleases
} from './link-store.ts'
import { findPushedCommits } from './push-store.ts'
import { readReleaseLog } from './release-log.ts'

interface Deps {
  fork: () => EntityManager
  git: Git
  log: { warn: (details: object, message: string) => void }
}

const batchSize = 50
/** A push may come after the first event of a release. */
const maxWaitMs = 3_600_000
/** The release before is among these. */
const maxBefore = 10
const maxOfFirst = 20
const system = { ip: '127.0.0.1' }

/** One after the other, so that repositories wait for one git at a time. */
export async function linkDueReleases({ fork, git, log }: Deps, at: Date, signal: AbortSignal) {
  for (const release of await takeDueReleases(fork(), at, batchSize)) {
    signal.throwIfAborted()
    // What one repository does must not keep the others from being read.
    await linkRelease(fork(), git, release, at).catch(err => log.warn({ err, ...release }, 'failed to find the commits of a release'))
  }
}

async function linkRelease(em: EntityManager, git: Git, release: DueRelease, at: Date) {
  const project = await em.findOne(Project, { id: release.projectId })

  if (!project) return
  const stored = await listCommits(em, project.id, release.version, maxCommits)
  const commits = stored.length > 0 ? stored : await findCommits(em, git, project, release)

  await em.transactional(async em => {
    if (commits && stored.length === 0) await replaceCommits(em, [project.id], release.version, commits)
    await addFixes(
      em,
      release,
      (commits ?? []).flatMap(({ sha, message }) => fixedErrors(message, project.path).map(id => ({ id, sha })))
    )
    if (commits || at.getTime() - release.firstSeenAt.getTime() > maxWaitMs) await endLinking(em, release)
  })
}

/** Of the project's own repository, or else of one elsewhere that pushes. */
async function findCommits(em: EntityManager, git: Git, project: Project, release: DueRelease): Promise<ReleaseCommit[] | undefined> {
  const before = await listReleasesBefore(em, release, maxBefore)
  const directory = await openRepository(git, await findRepository(em, { projectId: project.id }))
  const options = { release, before, branch: project.defaultBranch, path: project.fullPath }
  const own = directory && (await readReleaseLog(new GitDirectory(git, directory), options))

  if (own) return own
  const sha = shaOf(release)

  return sha
    ? findPushedCommits(
        em,
        project.id,
        { sha, before: before.flatMap(one => shaOf(one) ?? []) },
        before.length > 0 ? maxCommits : maxOfFirst
      )
    : undefined
}

/** As a client named it, or as the version ends. */
function shaOf({ version, commit }: { version: string; commit: string | null }) {
  return (commit ?? /(?:^|[@+])([0-9a-f]{7,40})$/i.exec(version)?.[1])?.toLowerCase()
}

/** Resolves the errors whose fix was deployed. What was resolved otherwise since stays as it is. */
export async function applyDeployedFixes({ fork }: Pick<Deps, 'fork'>, at: Date, signal: AbortSignal) {
  for (const deploy of await listDueDeploys(fork(), batchSize)) {
    for (const fix of await listDeployedFixes(fork(), deploy)) {
      signal.throwIfAborted()
      await applyFix(fork(), deploy, fix, at)
    }
    await endDeploy(fork(), deploy)
  }
}

async function applyFix(
  em: EntityManager,
  { projectId, version }: DueDeploy,
  { groupId, sha }: { groupId: number; sha: string },
  at: Date
) {
  await em.transactional(async em => {
    const group = await em.findOne(ErrorGroup, { id: groupId, projectId })

    if (group && group.status !== 'resolved') {
      const project = await em.findOneOrFail(Project, { id: projectId })

      await changeGroup(em, { project, group }, { status: 'resolved', resolved_in: version, commit: sha }, system, at)
    }
    await endFix(em, projectId, groupId, at)
  })
}
