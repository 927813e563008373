import { addToOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findFiring, takeEndedMutes } from './ended-mute-store.ts'
import type { Mute } from './mute.ts'

/** A dispatcher that began before the end may still hold something. */
const graceMs = 10_000
const batchSize = 100

/** Reports what still fires when a mute ends, as if it had happened now. What the mute held stays held until a user decides. */
export async function reportEndedMutes(em: EntityManager, at: Date) {
  let ended: unknown[]

  do {
    ended = await em.fork().transactional(async em => {
      const mutes = await takeEndedMutes(em, new Date(at.getTime() - graceMs), at, batchSize)

      await reportFiring(em, mutes)

      return mutes
    })
  } while (ended.length === batchSize)
}

/** Each alert once for each end of a mute. */
export async function reportFiring(em: EntityManager, mutes: Pick<Mute, 'id' | 'endsAt'>[]) {
  const ends = new Map(mutes.map(({ id, endsAt }) => [id, endsAt.getTime()]))
  const firing = await findFiring(em, [...ends.keys()])

  await addToOutbox(
    em,
    firing.map(({ muteId, ...entry }) => ({
      ...entry,
      data: { muteId },
      key: `mute-${muteId}-${ends.get(muteId)}-${entry.kind}-${entry.subjectId}`
    }))
  )
}
