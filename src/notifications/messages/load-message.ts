import { sql } from 'kysely'
import { moreSevere, severities } from '#lib/severity.ts'
import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { countEntries, findEntries } from '../deliveries/entry-store.ts'
import { findTexts } from './find-texts.ts'
import { loadSubjects } from './load-subjects.ts'
import type { Message, Occurrence } from './message.ts'
import type { Subject } from './subject.ts'

/** More of them are only counted. */
const maxOccurrences = 200

/** The message of a delivery; undefined when all that it is about was deleted. */
export async function loadMessage(em: EntityManager, delivery: Delivery, baseUrl: string): Promise<Message | undefined> {
  const project = await em.findOne(Project, { id: delivery.projectId })
  const entries = await findEntries(em, delivery.id, maxOccurrences)
  const occurrences = await toOccurrences(em, entries, baseUrl)

  if (!project || occurrences.length === 0) return undefined
  const projectUrl = `${baseUrl}/projects/${project.id}`

  return {
    id: `notification-${delivery.id}`,
    project: { id: project.id, name: project.name, url: projectUrl },
    occurrences: occurrences.sort(bySeverity),
    total: await countEntries(em, delivery.id),
    url: `${projectUrl}/notifications/deliveries/${delivery.id}`,
    worst: worstOf(occurrences),
    reason: delivery.reason,
    isLimited: delivery.isLimited,
    at: delivery.createdAt
  }
}

/** The message with only some of its occurrences; undefined when none is left. */
export function narrow(message: Message, occurrences: Occurrence[]): Message | undefined {
  if (occurrences.length === 0) return undefined

  return { ...message, occurrences, total: message.total - message.occurrences.length + occurrences.length, worst: worstOf(occurrences) }
}

async function toOccurrences(em: EntityManager, entries: OutboxEntry[], baseUrl: string) {
  const subjects = await loadSubjects(em, entries, baseUrl)
  const actors = await findActors(em, entries)
  const texts = await findTexts(em, entries)

  return entries.flatMap((entry): Occurrence[] => {
    const subject = subjects.of(entry)

    return subject
      ? [{ entry, subject: withoutKnownText(subject, entry), actor: actors.get(entry.actorId ?? 0), text: texts.get(entry.id) }]
      : []
  })
}

/** The description of an issue is news only when it is opened. */
function withoutKnownText(subject: Subject, { kind }: OutboxEntry): Subject {
  const isOld = (subject.type === 'issue' || subject.type === 'incident') && kind !== 'issue.opened'

  return isOld ? { ...subject, facts: subject.facts.filter(([name]) => name !== 'Description') } : subject
}

/** The most severe first, then the oldest. */
function bySeverity(one: Occurrence, other: Occurrence) {
  return rank(one) - rank(other) || one.entry.id - other.entry.id
}

function rank({ subject }: Occurrence) {
  return severities.indexOf(subject.severity ?? 'unknown')
}

function worstOf(occurrences: Occurrence[]) {
  return occurrences
    .flatMap(({ subject }) => subject.severity ?? [])
    .reduce<Message['worst']>((worst, severity) => (worst ? moreSevere(worst, severity) : severity), undefined)
}

async function findActors(em: EntityManager, entries: OutboxEntry[]) {
  const ids = entries.flatMap(({ actorId }) => actorId ?? [])
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('users')
    .where('id', '=', sql<number>`ANY (${ids}::bigint[])`)
    .select(['id', 'name', 'username'])
    .execute()

  return new Map(rows.map(row => [row.id, row]))
}
