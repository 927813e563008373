import type { Actor } from '#audit/record-audit-event.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Job } from './jobs/job.ts'
import { Pipeline } from './pipelines/pipeline.ts'

type Subject = Pipeline | Job

/** Tells webhooks of each status that a pipeline and its jobs enter, in the transaction that changes them. */
export class StatusEvents {
  #em: EntityManager
  #chain: string | undefined
  /** The status that webhooks know. */
  #known: Map<Subject, string>

  /** `entered` are in a status that they entered before. */
  constructor(em: EntityManager, { chain }: Pick<Actor, 'chain'>, entered: Subject[] = []) {
    this.#em = em
    this.#chain = chain
    this.#known = new Map(entered.map(subject => [subject, subject.status]))
  }

  /** Writes the events of those whose status changed since, which are stored. */
  async add(subjects: Subject[]) {
    const changed = subjects.filter(subject => this.#known.get(subject) !== subject.status)

    for (const subject of changed) this.#known.set(subject, subject.status)
    await addWebhookEvent(this.#em, ...changed.map(subject => toEvent(subject, this.#chain)))
  }
}

function toEvent(subject: Subject, chain: string | undefined) {
  const { id, projectId, status } = subject

  return { kind: subject instanceof Pipeline ? ('pipeline' as const) : ('job' as const), projectId, data: { id, status }, chain }
}
