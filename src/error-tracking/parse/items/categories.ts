import { lookUp } from '../../../lib/json.ts'

/** Known item types that are not processed. Unknown names become `other`, so that senders cannot fill the counter table. */
const unsupported =
  toSnakeCase(`transaction profile profile_chunk replay_event replay_recording replay_video statsd metric_buckets metric_meta
  check_in span otel_span raw_security security nel unreal_report form_data log trace_metric`)

/** What SDKs call the items that are not processed in `X-Sentry-Rate-Limits`, by type. */
const sdkCategories: Record<string, string> = {
  transaction: 'transaction',
  span: 'span',
  otel_span: 'span',
  profile: 'profile',
  profile_chunk: 'profile_chunk',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  check_in: 'monitor',
  log: 'log_item',
  trace_metric: 'trace_metric',
  statsd: 'metric_bucket',
  metric_buckets: 'metric_bucket'
}

/** Undefined for items that are processed, or that no SDK stops sending. */
export function unsupportedCategory(type: string) {
  return lookUp(sdkCategories, type)
}

/** Categories and reasons of client reports. */
const categories =
  toSnakeCase(`default error transaction security attachment session profile profile_chunk replay span monitor feedback log_item log_byte
  trace_metric metric_bucket statsd internal`)
const reasons =
  toSnakeCase(`queue_overflow cache_overflow buffer_overflow ratelimit_backoff network_error sample_rate before_send event_processor
  send_error internal_sdk_error insufficient_data backpressure ignored no_parent_span invalid too_big buffer_too_large shutdown`)

export function categoryOf(type: string) {
  return unsupported.has(type) ? type : 'other'
}

export function discardOutcome(category: unknown, reason: unknown) {
  return {
    category: categories.has(category as string) ? (category as string) : 'other',
    reason: reasons.has(reason as string) ? (reason as string) : 'other'
  }
}

function toSnakeCase(text: string) {
  return new Set(text.split(/\s+/))
}
