import { matchesGlob } from '#lib/glob.ts'
import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Subject } from '../messages/subject.ts'
import { Mute } from './mute.ts'

/** The id of the mute that holds the deliveries about an outbox entry. */
export type MuteMatcher = (outboxId: number) => number | undefined

/** Mutes hold what rules send about errors, alerts and incidents. */
export async function findMutes(
  em: EntityManager,
  occurrences: { entry: OutboxEntry; subject: Subject }[],
  at: Date
): Promise<MuteMatcher> {
  const projectIds = [...new Set(occurrences.map(({ entry }) => entry.projectId))]
  const mutes = await em.find(
    Mute,
    { projectId: { $in: projectIds }, startsAt: { $lte: at }, endsAt: { $gt: at } },
    { orderBy: { id: 'asc' } }
  )
  const held = new Map(
    occurrences.flatMap(({ entry, subject }) => {
      const mute = mutes.find(mute => mute.projectId === entry.projectId && covers(mute, subject))

      return mute ? [[entry.id, mute.id] as const] : []
    })
  )

  return outboxId => held.get(outboxId)
}

export function covers(mute: Pick<Mute, 'environment' | 'tags'>, { type, environments, tags }: Subject) {
  if (type === 'issue' || type === 'project') return false

  return (
    (!mute.environment || environments.some(environment => matchesGlob(mute.environment!, environment))) &&
    mute.tags.every(pattern => tags.some(tag => matchesGlob(pattern, tag)))
  )
}
