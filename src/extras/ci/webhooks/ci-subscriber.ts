import type { EventArgs, EventSubscriber } from '@mikro-orm/core'
import { addWebhookEvent } from '#outbox/webhook-event-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Job } from '../jobs/job.ts'
import { Pipeline } from '../pipelines/pipeline.ts'

/** Webhooks hear of each status that pipelines and jobs enter, in the same transaction. */
export class CiSubscriber implements EventSubscriber<Job | Pipeline> {
  getSubscribedEntities() {
    return [Job, Pipeline]
  }

  afterCreate(args: EventArgs<Job | Pipeline>) {
    return notify(args)
  }

  async afterUpdate(args: EventArgs<Job | Pipeline>) {
    if (args.changeSet?.payload && 'status' in args.changeSet.payload) await notify(args)
  }
}

async function notify({ entity, em }: EventArgs<Job | Pipeline>) {
  const { id, projectId, status } = entity

  await addWebhookEvent(em as EntityManager, { kind: entity instanceof Pipeline ? 'pipeline' : 'job', projectId, data: { id, status } })
}
