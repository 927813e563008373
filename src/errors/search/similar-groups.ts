import type { EntityManager } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { type FoundGroup, findGroupsWith } from './found-group-store.ts'

const maxSimilar = 5
const textLength = 40

/** Errors from the same place or with the same text, which may have the same cause, last seen first. */
export async function findSimilarGroups(em: EntityManager, { id, projectId, actor, description, name }: ErrorGroup) {
  const similar = new Map<number, FoundGroup>()

  for (const text of [actor, (description || name).slice(0, textLength)]) {
    if (!text || similar.size >= maxSimilar) continue
    const groups = await findGroupsWith(em, [projectId], text, maxSimilar + 1)

    for (const group of groups) if (group.id !== id && similar.size < maxSimilar) similar.set(group.id, group)
  }

  return [...similar.values()]
}
