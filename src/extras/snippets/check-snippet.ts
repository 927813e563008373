import type { FileAction } from '#extras/source-code/commits/stage-actions.ts'
import { definedIn } from '#lib/json.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { isMember } from '#projects/members/member-store.ts'
import { Snippet, type SnippetChanges } from '#snippets/snippet.ts'
import type { SpamCheck } from '#spam/spam-check.ts'
import { readSnippetFiles } from './read-files.ts'

const maxChecked = 60_000

interface Texts extends SnippetChanges {
  title: string
  projectId?: number | null
}

/** Only public texts are worth spamming with. */
export async function checkNewSnippet(spam: SpamCheck | undefined, snippet: Texts, actions: FileAction[]) {
  if (snippet.visibility === 'public') await check(spam, snippet, contentsOf(actions))
}

/** A snippet is checked when it becomes public, or a public one changes. */
export async function checkChangedSnippet(
  spam: SpamCheck,
  { em, git }: { em: EntityManager; git: Git },
  id: number,
  { actions, ...changes }: SnippetChanges & { actions: FileAction[] }
) {
  const former = await em.findOneOrFail(Snippet, { id })
  const snippet: Texts = { ...former, ...definedIn(changes) }
  const isPublished = snippet.visibility !== former.visibility
  const isSame = !isPublished && snippet.title === former.title && snippet.description === former.description && actions.length === 0

  if (snippet.visibility !== 'public' || isSame) return
  const stored = isPublished ? await readSnippetFiles(em, git, id, maxChecked) : []

  await check(spam, snippet, [...stored.map(({ text = '' }) => text), ...contentsOf(actions)], true)
}

async function check(spam: SpamCheck | undefined, { title, description, projectId }: Texts, contents: string[], isChange = false) {
  await spam?.check({
    kind: 'snippet',
    title,
    text: [description, ...contents].filter(Boolean).join('\n'),
    isChange,
    ...(typeof projectId === 'number' && { isTrusted: (em, userId) => isMember(em, projectId, userId) })
  })
}

function contentsOf(actions: FileAction[]) {
  return actions.flatMap(({ content }) => (content ? [content.subarray(0, maxChecked).toString()] : []))
}
