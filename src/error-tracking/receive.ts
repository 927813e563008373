import type { EntityManager } from '../platform/database.ts'
import type { ItemOf } from '../platform/job.ts'
import type { Drop } from './drops.ts'
import { type EnvelopeItem, readEventId, splitEnvelope } from './envelope.ts'
import { identify } from './grouping/identify.ts'
import { inflate } from './inflate.ts'
import type { receiveEnvelopes } from './jobs.ts'
import { normalise, type Occurrence } from './normalise.ts'
import type { StoredEvent } from './occurrence.ts'
import { packPayload } from './payload.ts'
import { storeEvents } from './store.ts'

type EnvelopeJob = ItemOf<typeof receiveEnvelopes>

/** Larger events are refused at the door already; this is for what gets past it. */
const mostInflated = 200 << 20

/**
 * Stores the events of a batch of envelopes and counts what could not be read. The same batch
 * again changes nothing: an event is known by its id.
 */
export async function receive(em: EntityManager, jobs: EnvelopeJob[]) {
  const opened = await Promise.all(jobs.map(open))

  return storeEvents(
    em,
    opened.flatMap(({ events }) => events),
    opened.flatMap(({ drops }) => drops)
  )
}

async function open(job: EnvelopeJob): Promise<{ events: StoredEvent[]; drops: Drop[] }> {
  const drop = (category: string, reason: string): Drop => ({
    envelopeId: job.id,
    projectId: job.projectId,
    day: dayOf(job.receivedAt),
    category,
    reason
  })
  const events: StoredEvent[] = []
  const drops: Drop[] = []
  const body = Buffer.from(job.body, 'base64')

  try {
    const { header, items } = splitEnvelope(await inflate(body, job.encoding, mostInflated))

    for (const item of items) {
      if (item.type !== 'event') drops.push(drop(item.type.slice(0, 50), 'unsupported'))
      else {
        const event = readEvent(job, header, item, events.length)

        if (event) events.push({ ...event, payload: packPayload(body, items, item) })
        else drops.push(drop('error', 'unreadable'))
      }
    }
  } catch (error) {
    drops.push(drop('envelope', (error as Error).name))
  }

  return { events, drops }
}

function readEvent(job: EnvelopeJob, header: Record<string, unknown>, item: EnvelopeItem, n: number) {
  const event = parseObject(item.payload)

  if (!event) return undefined
  const receivedAt = new Date(job.receivedAt)
  const occurrence: Occurrence = normalise(event, receivedAt)
  // A second event of an envelope cannot have the envelope's id.
  const eventId = (n === 0 ? readEventId(header.event_id) : undefined) ?? readEventId(event.event_id) ?? job.id

  return {
    projectId: job.projectId,
    eventId,
    day: dayOf(job.receivedAt),
    receivedAt,
    ...identify(event),
    occurrence
  }
}

function parseObject(payload: Buffer) {
  try {
    const value = JSON.parse(payload.toString('utf8'))

    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function dayOf(time: string) {
  return time.slice(0, 10)
}
