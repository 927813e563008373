import { ProjectFilters } from '../src/error-tracking/filters/project-filters.ts'
import { receiveEnvelopes, recordGroupChange } from '../src/error-tracking/jobs.ts'
import { FrameCache } from '../src/error-tracking/parse/frame-cache.ts'
import { processEnvelopes } from '../src/error-tracking/process-envelopes.ts'
import { ProjectRules } from '../src/error-tracking/scrub/project-rules.ts'
import { SourceMaps } from '../src/error-tracking/source-maps/resolve/source-maps.ts'
import { BatchWriter } from '../src/error-tracking/store/batch-writer.ts'
import { countFailures } from '../src/error-tracking/store/failure-store.ts'
import { InflateLimiter } from '../src/lib/inflate/inflate-limiter.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const errors = [
  handle(
    receiveEnvelopes,
    async (items, { em, config, caches, queues }) => {
      const rules = caches.instance(ProjectRules)
      const filters = caches.instance(ProjectFilters)
      const maps = caches.instance(SourceMaps)
      const changes = await processEnvelopes(em, items, {
        writer: caches.instance(BatchWriter),
        limits: { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment },
        limiter: caches.instance(InflateLimiter),
        rulesFor: projectId => rules.of(projectId),
        filtersFor: projectId => filters.of(projectId),
        resolve: (projectId, event) => maps.resolve(em, projectId, event),
        frameCache: caches.instance(FrameCache)
      })

      await queues.enqueueMany(recordGroupChange, changes)
    },
    { failed: (items, { em }) => countFailures(em, items) }
  )
]
