import { randomUUID } from 'node:crypto'
import type { Actor } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { Project } from '#projects/project.ts'
import { type RefChange, recordPush } from './jobs.ts'

interface PushDeps {
  fork: () => EntityManager
  git: Git
  queues: Queues
}

export interface Push {
  project: Project
  directory: string
  by: Actor
  changes: RefChange[]
}

const branches = 'refs/heads/'

/** The changes that the hook handed back. */
export function readChanges(lines: string): RefChange[] {
  return [...lines.matchAll(/^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/.+)$/gm)].map(([, before, after, ref]) => ({
    ref: ref!,
    before: before!,
    after: after!
  }))
}

/** Records a push before the client is answered. The first one of a project decides its default branch. */
export async function acceptPush({ fork, git, queues }: PushDeps, { project, directory, by, changes }: Push) {
  if (changes.length === 0) return
  await adoptDefaultBranch(fork(), git, { project, directory, changes })
  await queues.enqueue(recordPush, {
    projectId: project.id,
    userId: by.user!.id,
    id: randomUUID(),
    pushedAt: new Date().toISOString(),
    changes,
    ...(by.chain && { chain: by.chain })
  })
}

/** When the first branches of a repository do not include the default branch, one of them becomes it. */
async function adoptDefaultBranch(em: EntityManager, git: Git, { project, directory, changes }: Omit<Push, 'by'>) {
  const created = changes.filter(({ ref, before }) => ref.startsWith(branches) && /^0+$/.test(before)).map(({ ref }) => ref)

  if (created.length === 0) return
  const listed = await git.text(directory, ['for-each-ref', '--format=%(refname)', `--count=${created.length + 1}`, branches])
  const existing = listed.split('\n')

  if (existing.includes(branches + project.defaultBranch) || !existing.every(ref => created.includes(ref))) return
  const chosen = ['main', 'master'].map(name => branches + name).find(ref => created.includes(ref)) ?? created[0]!

  await git.run(directory, ['symbolic-ref', 'HEAD', chosen])
  await em.nativeUpdate(Project, { id: project.id }, { defaultBranch: chosen.slice(branches.length) })
}
