import { setImmediate } from 'node:timers/promises'
import type { Caches } from '#platform/cache/caches.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import type { Repository } from '#repositories/repository.ts'
import type { Frame, StackSource } from '../events/stack-trace.ts'
import { findRelease } from '../releases/find-releases.ts'
import { CodeCache } from './code-cache.ts'
import type { FileList } from './file-list.ts'
import { dependencyDepth, type FramePath, framePathsOf } from './frame-paths.ts'
import type { LineChange } from './line-change.ts'
import { findReleaseCode, type ReleaseCode } from './release-commit.ts'
import { TimeBudget } from './time-budget.ts'

/** The page waits no longer than this for all that git says. */
const budgetMs = 1000
/** Files that are looked up. */
const maxFiles = 40
/** Frames whose last change is looked up. */
const maxChanges = 3

interface Deps {
  git: Git
  caches: Caches
  log: { warn: (details: object, message: string) => void }
}

export interface FrameLocation {
  path: string
  line: number | null
  /** Whether it is a file of the project's repository. Otherwise the path is what the frame says. */
  isFound: boolean
  lastChange?: LineChange
}

export interface CodeOfFrames {
  code: ReleaseCode
  /** Frames of own code whose file is known, in the order of the sources, the innermost call of each first. */
  frames: Map<Frame, FrameLocation>
}

/** Finds the files of frames in the project's repository at the commit of the release, and who changed their lines last. */
export async function locateFrames(
  em: EntityManager,
  { git, caches, log }: Deps,
  project: Project,
  { release, sources }: { release: string | null; sources: StackSource[] }
): Promise<CodeOfFrames | undefined> {
  const frames = ownFrames(sources)

  if (frames.length === 0) return undefined
  const stored = release === null ? undefined : await findRelease(em, project.id, release)
  const repository = await findRepository(em, { projectId: project.id })
  const named = { version: release, commit: stored?.commit_sha ?? null }
  const budget = new TimeBudget(budgetMs, err => log.warn({ err, projectId: project.id }, 'no code for a stack trace'))
  const cache = caches.instance(CodeCache)
  const repo = await budget.spend(() => openCode(git, repository))
  const code =
    (await budget.spend(() => findReleaseCode(repo, named, project.defaultBranch))) ??
    (await findReleaseCode(undefined, named, project.defaultBranch))
  const list = repo && code.sha ? await budget.spend(() => cache.list(repo, code.sha!)) : undefined
  const located = await findFiles(frames, list, budget)
  const found = [...located.values()].filter(({ isFound, line }) => isFound && line !== null && line > 0)

  await Promise.all(
    found.slice(0, maxChanges).map(async location => {
      const at = { sha: code.sha!, path: location.path, line: location.line! }

      location.lastChange = await budget.spend(() => cache.change(repo!, at))
    })
  )

  return { code, frames: located }
}

/** Frames of own code, in the order in which they are shown. All of them when the SDK marked none. */
export function ownFrames(sources: StackSource[]) {
  const frames = sources.flatMap(({ frames }) => frames.toReversed())
  const own = frames.filter(({ inApp }) => inApp)

  return own.length > 0 ? own : frames
}

async function openCode(git: Git, repository: Repository) {
  const directory = await openRepository(git, repository)

  return directory === undefined ? undefined : new GitDirectory(git, directory)
}

async function findFiles(frames: Frame[], list: FileList | undefined, budget: TimeBudget) {
  const known = new Map<string, string | undefined>()
  const located = new Map<Frame, FrameLocation>()

  for (const frame of frames) {
    const paths = framePathsOf(frame)
    const key = JSON.stringify(paths)

    if (list && !known.has(key) && known.size < maxFiles) known.set(key, await budget.spend(() => findFile(list, paths)))
    const found = known.get(key)
    const path = found ?? statedPath(frame, paths)

    if (path) located.set(frame, { path, line: frame.lineNo, isFound: found !== undefined })
  }

  return located
}

/** Lets other requests pass between two searches of a long list. */
async function findFile(list: FileList, paths: FramePath[]) {
  await setImmediate()

  return list.find(paths)
}

/** The path of own code as the frame has it, for repositories elsewhere. */
function statedPath({ filename, module }: Frame, paths: FramePath[]) {
  const [path] = paths

  return path && filename !== module && dependencyDepth(path) === 0 ? path.own.join('/') : undefined
}
