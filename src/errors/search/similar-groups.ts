import type { EntityManager } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { type FoundGroup, findGroupsWith } from './found-group-store.ts'

const maxSimilar = 5
const maxCompared = 50
const textLength = 40

/** Errors of the same type with a similar text, which may have the same cause, last seen first. */
export async function findSimilarGroups(em: EntityManager, group: ErrorGroup) {
  const { id, projectId, actor, description, name } = group
  const similar = new Map<number, FoundGroup>()

  for (const text of [(description || name).slice(0, textLength), actor]) {
    if (!text || similar.size >= maxSimilar) continue
    const groups = await findGroupsWith(em, [projectId], text, maxCompared)

    for (const one of groups) if (one.id !== id && similar.size < maxSimilar && isSimilar(group, one)) similar.set(one.id, one)
  }

  return [...similar.values()]
}

type Texts = Pick<ErrorGroup, 'name' | 'actor' | 'description'>

/** From the same place, half of the words are enough; of another type, all are needed. */
function isSimilar(one: Texts, other: Texts) {
  const needed = one.name !== other.name ? 1 : one.actor === other.actor ? 0.5 : 0.75

  return sharedWords(one.description, other.description) >= needed
}

/** The share of words that two texts have in common; numbers and ids differ between events with one cause. */
function sharedWords(one: string, other: string) {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const all = words.union(others)

  return all.size === 0 ? 1 : words.intersection(others).size / all.size
}

function wordsOf(text: string) {
  return new Set(text.toLowerCase().match(/\p{L}{2,}/gu))
}
