import { listTree } from '#extras/source-code/files/list-tree.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitOutputTooLarge } from '#platform/git/git-errors.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import { maxFiles, snippetBranch } from '#snippets/snippet.ts'
import { openSnippet } from './open-snippet.ts'

export interface SnippetFile {
  path: string
  /** Undefined when it is large, or not text. */
  text: string | undefined
}

/** The files of a snippet with their text, for a page. */
export async function readSnippetFiles(em: EntityManager, git: Git, snippetId: number, maxBytes: number): Promise<SnippetFile[]> {
  const { repo, sha } = await requireCommit(await openSnippet(em, git, snippetId), snippetBranch)
  const entries = await listTree(repo, sha, '', true)
  const files = entries.filter(({ type }) => type === 'blob').slice(0, maxFiles)
  const read = async (sha: string) => {
    try {
      return await repo.run(['cat-file', 'blob', sha], { maxBytes })
    } catch (error) {
      if (error instanceof GitOutputTooLarge) return undefined
      throw error
    }
  }

  return Promise.all(files.map(async ({ path, sha }) => ({ path, text: toText(await read(sha)) })))
}

function toText(content: Buffer | undefined) {
  try {
    const text = content && new TextDecoder('utf-8', { fatal: true }).decode(content)

    return text?.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
