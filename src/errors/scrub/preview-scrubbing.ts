import type { Json } from '#lib/json.ts'
import { normaliseEvent } from '../normalise/normalise-event.ts'
import { parseEvent } from '../parse/parse-event.ts'
import { compileRules, type ScrubRules } from './rules.ts'
import { scrub } from './scrub.ts'

/** Bounds the time of a preview. Most events are far smaller. */
export const maxPreviewLength = 200_000

export interface ScrubPreview {
  event: Json
  /** The event as it would be stored. Unchanged values are the same objects as in `event`. */
  scrubbed: Json
}

/** Reads and scrubs an event as intake does, and stores nothing. Undefined when the text is not an event, or too long. */
export function previewScrubbing(text: string, rules: ScrubRules): ScrubPreview | undefined {
  const sent = text.length <= maxPreviewLength ? parseEvent(Buffer.from(text), { maxInflated: maxPreviewLength }) : undefined

  if (!sent) return undefined
  const event = normaliseEvent(sent)

  return { event, scrubbed: scrub(event, compileRules(rules)).event }
}
