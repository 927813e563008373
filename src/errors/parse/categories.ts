/** Known item types that are not processed. Unknown names become `other`, so that senders cannot fill the counter table. */
const unsupported =
  toSnakeCase(`transaction profile profile_chunk replay_event replay_recording replay_video statsd metric_buckets metric_meta
  span otel_span raw_security security nel unreal_report form_data log trace_metric`)

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
