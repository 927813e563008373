import type { Json } from '#lib/json.ts'
import { isSubscriptionMessage } from '../integrations/sns-message.ts'
import { applyMapping, pathsOf } from './mapping.ts'
import type { Misfit, Sender } from './parsed-alert.ts'
import { type Path, payloadReader } from './payload-reader.ts'
import { isPrometheus, missingIn } from './prometheus-payload.ts'

/** A payload that is not of the sender is read as well as possible, but is likely meant for another integration. */
export function findMisfit(payload: Json, { isMetrics, titles }: Sender): Misfit | undefined {
  const hasMetrics = isPrometheus(payload)

  if (isMetrics) return hasMetrics ? undefined : { missing: missingIn(payload), readAs: 'json' }
  if (!titles || isSubscriptionMessage(payload)) return undefined
  if (hasMetrics) return { missing: [], readAs: 'alertmanager' }
  if (applyMapping({ title: titles }, payloadReader(payload)).title !== undefined) return undefined

  return { missing: [...new Set(titles.flatMap(pathsOf).map(writePath))], readAs: 'json' }
}

function writePath(path: Path) {
  return path.join('/')
}
