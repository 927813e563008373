import { randomUUID } from 'node:crypto'
import type { EntityManager } from '../platform/database/database.ts'
import type { Git } from '../platform/git/git.ts'
import { GitDirectory } from '../platform/git/git-directory.ts'
import type { Queues } from '../platform/queue/queues.ts'
import { initializeRepository } from '../repositories/open-repository.ts'
import { writeToRepository } from '../repositories/write-to-repository.ts'
import type { Code } from './find-code.ts'
import { type RefChange, recordPush } from './pushes/jobs.ts'

export interface WriteDeps {
  fork: () => EntityManager
  git: Git
  queues: Queues
}

/** Changes branches and tags of a project. The push is recorded before the client is answered. */
export function writeCode(
  { fork, git, queues }: WriteDeps,
  { project, repository }: Code,
  userId: number,
  write: (repo: GitDirectory) => Promise<RefChange[]>
) {
  return writeToRepository(fork, repository.id, async repository => {
    const path = await initializeRepository(fork(), git, repository, project.defaultBranch)
    const repo = new GitDirectory(git, path)
    const changes = await write(repo)

    if (changes.length > 0) {
      await queues.enqueue(recordPush, { projectId: project.id, userId, id: randomUUID(), pushedAt: new Date().toISOString(), changes })
    }

    return { repo, changes }
  })
}
