import type { InflateLimiter } from '#lib/inflate-limiter.ts'
import type { Json } from '#lib/json.ts'
import type { InboundFilters } from '../filters/filter-event.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import type { Envelope } from '../parse/envelope.ts'
import type { FrameCache } from '../parse/frame-cache.ts'
import type { CompiledRules } from '../scrub/rules.ts'

export interface PayloadLimits {
  /** Bytes of one inflated envelope. */
  inflated: number
  /** Bytes of one attachment. */
  attachment: number
}

/** Returns the event with frames resolved through source maps, or the same object when there are none. */
export type ResolveFrames = (projectId: number, event: Json) => Promise<Json>

export interface PipelineOptions {
  limits: PayloadLimits
  limiter: InflateLimiter
  /** The scrubbing rules of the project. */
  rules: CompiledRules
  /** The inbound filters of the project, if any are on. */
  filters?: InboundFilters | undefined
  resolve: ResolveFrames
  frameCache?: FrameCache | undefined
}

/** The envelope that an item belongs to. */
export interface ItemContext extends PipelineOptions {
  job: ReceivedEnvelope
  envelope: Envelope
}
