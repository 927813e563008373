import { readGeneric } from './generic-payload.ts'
import { isMetrics, readMetrics } from './prometheus-payload.ts'
import type { Circumstances, Json, Reading } from './report.ts'

/** The alerts in a payload, whichever of the two kinds it is. */
export function readPayload(text: string, circumstances: Circumstances): Reading {
  const payload = JSON.parse(text) as Json

  return isMetrics(payload) ? readMetrics(payload, circumstances) : { reports: [readGeneric(payload, text, circumstances)], skipped: [] }
}
