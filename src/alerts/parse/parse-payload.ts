import { parseGeneric } from './generic-payload.ts'
import { isMetrics, parseMetrics } from './prometheus-payload.ts'
import type { Json, ParsedPayload, ParseOptions } from './report.ts'

/** The alerts in a payload, whichever of the two kinds it is. */
export function parsePayload(text: string, circumstances: ParseOptions): ParsedPayload {
  const payload = JSON.parse(text) as Json

  return isMetrics(payload) ? parseMetrics(payload, circumstances) : { reports: [parseGeneric(payload, text, circumstances)], skipped: [] }
}
