import type { Actor } from '#audit/record-audit-event.ts'
import { acceptPush } from '#git-http/accept-push.ts'
import type { RefChange } from '#git-http/jobs.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import type { Queues } from '#platform/queue/queues.ts'
import { initializeRepository } from '#repositories/open-repository.ts'
import { writeToRepository } from '#repositories/write-to-repository.ts'
import type { Code } from './find-code.ts'

export interface WriteDeps {
  fork: () => EntityManager
  git: Git
  queues: Queues
}

/** Changes branches and tags of a project. The push is recorded before the client is answered. */
export function writeCode(deps: WriteDeps, { project, repository }: Code, by: Actor, write: (repo: GitDirectory) => Promise<RefChange[]>) {
  const { fork, git } = deps

  return writeToRepository(fork, repository.id, async repository => {
    const path = await initializeRepository(fork(), git, repository, project.defaultBranch)
    const repo = new GitDirectory(git, path)
    const changes = await write(repo)

    await acceptPush(deps, { project, directory: path, by, changes })

    return { repo, changes }
  })
}
