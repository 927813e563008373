import { readGeneric } from './generic.ts'
import { isMetrics, readMetrics } from './metrics.ts'
import type { Circumstances, Json, Reading } from './report.ts'

/** The alerts in a payload, whichever of the two kinds it is. */
export function readPayload(text: string, circumstances: Circumstances): Reading {
  const payload = JSON.parse(text) as Json

  return isMetrics(payload) ? readMetrics(payload, circumstances) : { reports: [readGeneric(payload, text, circumstances)], skipped: [] }
}
