import { type Json, parseJson } from '#lib/json.ts'
import { isSubscriptionMessage } from '../integrations/sns-message.ts'
import { findMisfit } from './find-misfit.ts'
import { parseGeneric } from './generic-payload.ts'
import type { ParsedPayload, ParseOptions } from './parsed-alert.ts'
import { isPrometheus, parsePrometheus } from './prometheus-payload.ts'

export function parsePayload(text: string, options: ParseOptions): ParsedPayload {
  const payload = parseJson(text) as Json
  const misfit = options.sender && findMisfit(payload, options.sender)

  return { ...parseAlerts(payload, text, options), misfit }
}

function parseAlerts(payload: Json, text: string, options: ParseOptions): ParsedPayload {
  if (isPrometheus(payload)) return parsePrometheus(payload, options)
  if (isSubscriptionMessage(payload)) return { alerts: [], skipped: [] }
  const alert = parseGeneric(payload, text, options)

  return { alerts: alert ? [alert] : [], skipped: [] }
}
