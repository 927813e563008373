import type { InflateLimiter } from '#lib/inflate-limiter.ts'
import type { Json } from '#lib/json.ts'
import type { InboundFilters } from '../filters/filter-event.ts'
import type { ReceivedEnvelope } from '../jobs.ts'
import type { CompiledRules } from '../scrub/rules.ts'
import type { Envelope } from './envelope.ts'
import type { FrameCache } from './frame-cache.ts'

export interface ParseLimits {
  /** Bytes of one inflated envelope. */
  inflated: number
  /** Bytes of one attachment. */
  attachment: number
}

/** Returns the event with frames resolved through source maps, or the same object when there are none. */
export type ResolveFrames = (projectId: number, event: Json) => Promise<Json>

export interface ParseOptions {
  limits: ParseLimits
  limiter: InflateLimiter
  /** The scrubbing rules of the project. */
  rules: CompiledRules
  /** The inbound filters of the project, if any are on. */
  filters?: InboundFilters | undefined
  resolve: ResolveFrames
  frameCache?: FrameCache
}

/** The envelope that an item belongs to. */
export interface ItemContext extends ParseOptions {
  job: ReceivedEnvelope
  envelope: Envelope
}
