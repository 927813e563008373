import type { TargetKind } from '#git-http/git-target.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { maxFiles, Snippet, snippetBranch } from '#snippets/snippet.ts'
import { type Found, findSnippet } from './find-snippet.ts'
import { readNames } from './write-snippet.ts'

/** A snippet of a user at `snippets/7`, and of a project below its path. */
export const snippetTarget: TargetKind = {
  table: 'projects',
  async find({ fork, git }, { caller, path, operation }) {
    const [, projectPath, id] = /^(?:(.+)\/)?snippets\/(\d{1,15})$/.exec(path) ?? []

    if (id === undefined || caller?.by.kind === 'job') return undefined
    const em = fork()
    const found = await findSnippet(em, caller?.user as Viewer | undefined, Number(id), projectPath)

    if (operation === 'write') checkMayPush(found)

    return {
      repository: await findRepository(em, { snippetId: found.snippet.id }),
      defaultBranch: snippetBranch,
      mayForce: true,
      maxFiles,
      acceptPush: ({ directory }) => updateFileNames(fork(), new GitDirectory(git, directory), Number(id))
    }
  }
}

function checkMayPush({ canChange, project }: Found) {
  if (!canChange) throw new Forbidden('you are not allowed to change this snippet')
  if (project) checkWritable(project)
}

async function updateFileNames(em: EntityManager, repo: GitDirectory, id: number) {
  await em.nativeUpdate(Snippet, { id }, { fileNames: (await readNames(repo)).sort(), updatedAt: new Date() })
}
