import type { ParsedBatch } from '../pipeline/parsed-batch.ts'

interface Owned {
  projectId: number
}

export function projectIdsOf(parsed: ParsedBatch) {
  return Object.values(parsed).flatMap((items: Owned[]) => items.map(({ projectId }) => projectId))
}

/** Drops the items of deleted projects and counts them. */
export function dropDeletedProjects(parsed: ParsedBatch, existing: Set<number>): ParsedBatch {
  const exists = ({ projectId }: Owned) => existing.has(projectId)
  const dropped = [
    ...parsed.events.map(({ envelopeId, projectId, keyId, day }) => ({ envelopeId, projectId, keyId, day, category: 'error', items: 1 })),
    ...parsed.accepted
  ].filter(item => !exists(item))
  const remaining = Object.fromEntries(Object.entries(parsed).map(([kind, items]: [string, Owned[]]) => [kind, items.filter(exists)]))

  return {
    ...(remaining as unknown as ParsedBatch),
    dropped: [...parsed.dropped, ...dropped.map(item => ({ ...item, reason: 'project_gone' }))]
  }
}
