import { type Json, parseJson } from '../../lib/json.ts'
import { parseGeneric } from './generic-payload.ts'
import type { ParsedPayload, ParseOptions } from './parsed-alert.ts'
import { isMetrics, parseMetrics } from './prometheus-payload.ts'

export function parsePayload(text: string, options: ParseOptions): ParsedPayload {
  const payload = parseJson(text) as Json

  return isMetrics(payload) ? parseMetrics(payload, options) : { alerts: [parseGeneric(payload, text, options)], skipped: [] }
}
