import { ProjectFilters } from '#errors/filters/project-filters.ts'
import { enqueueForwarding } from '#errors/forwarding/jobs.ts'
import { keepForwarded } from '#errors/forwarding/keep-forwarded.ts'
import { ProjectForwardings } from '#errors/forwarding/project-forwardings.ts'
import { type ReceivedEnvelope, receiveEnvelopes, recordGroupChange } from '#errors/jobs.ts'
import { OwnerRules } from '#errors/ownership/project-owners.ts'
import { FrameCache } from '#errors/parse/frame-cache.ts'
import { type ProcessOptions, processEnvelopes } from '#errors/pipeline/process-batch.ts'
import { ProjectRules } from '#errors/scrub/project-rules.ts'
import { SourceMaps } from '#errors/source-maps/resolve/source-maps.ts'
import { BatchWriter } from '#errors/store/batch-writer.ts'
import { countFailures } from '#errors/store/failure-store.ts'
import { InflateLimiter } from '#lib/inflate-limiter.ts'
import { watchMonitors } from '#monitors/jobs.ts'
import { Announcer } from '#platform/live/announce.ts'
import { handle, type JobContext } from '#platform/queue/handler.ts'

export const errors = [
  handle(
    receiveEnvelopes,
    async (items, context) => {
      const changes = await processEnvelopes(context.em, items, pipelineOptions(context))

      context.caches.instance(Announcer).add(changes.map(({ projectId, groupId: id }) => ({ kind: 'new-errors', projectId, id })))
      await context.queues.enqueueMany(recordGroupChange, changes)
      await forward(items, context)
    },
    {
      failed: async (items, { em, metrics }) => {
        await countFailures(em, items)
        metrics.dropped('failed', items.length)
      }
    }
  )
]

/** If the queue is unreachable, the schedule sends later. */
async function forward(items: ReceivedEnvelope[], { em, caches, queues, log }: JobContext) {
  for (const projectId of await keepForwarded(em.fork(), caches.instance(ProjectForwardings), items)) {
    await enqueueForwarding(queues, projectId).catch(error => log.warn({ err: error }, 'failed to enqueue what is sent on'))
  }
}

function pipelineOptions({ em, config, caches, metrics, queues, log }: JobContext): ProcessOptions {
  const rules = caches.instance(ProjectRules)
  const filters = caches.instance(ProjectFilters)
  const owners = caches.instance(OwnerRules)
  const maps = caches.instance(SourceMaps)
  const announcer = caches.instance(Announcer)

  return {
    writer: caches.instance(BatchWriter),
    observer: {
      ...metrics,
      grew: groups => announcer.add(groups.map(({ projectId, groupId: id }) => ({ kind: 'errors', projectId, id }))),
      // If the queue is unreachable, the schedule sends the alerts later.
      monitorChanged: () =>
        void queues.enqueue(watchMonitors, {}).catch(error => log.warn({ err: error }, 'failed to enqueue the alerts of monitors'))
    },
    limits: { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment },
    limiter: caches.instance(InflateLimiter),
    rulesFor: projectId => rules.of(projectId),
    filtersFor: projectId => filters.of(projectId),
    ownersFor: projectId => owners.of(projectId),
    resolve: (projectId, event) => maps.resolve(em, projectId, event),
    frameCache: caches.instance(FrameCache)
  }
}
