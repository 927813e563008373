import { integer, section } from './setting-types.ts'

/** Queues and their workers. */
export const queueSettings = section('Queues', {
  BATCH_ITEMS: integer(1, 1000, { default: 100, description: 'Maximum number of items (events, alerts) that intake puts into one job.' }),
  BATCH_BYTES: integer(1024, 16_777_216, {
    default: 1_048_576,
    description: 'Maximum size in bytes of one job at intake; a larger item becomes a separate job.'
  }),
  BATCH_MS: integer(0, 1000, {
    default: 2,
    description: 'Milliseconds that intake waits for a batch to fill.'
  }),
  BATCH_MEMORY: integer(1_048_576, 1_073_741_824, {
    default: 33_554_432,
    description: 'Maximum number of bytes that a web process holds before they are enqueued; further requests get 503.'
  }),
  QUEUE_LIMIT: integer(1, 1_000_000_000, {
    default: 1_000_000,
    description: 'Number of waiting items (events, alerts) above which a queue accepts no more: 503, or 429 for SDKs.'
  }),
  QUEUE_PROJECT_PERCENT: integer(1, 100, {
    default: 25,
    description: 'Share of `QUEUE_LIMIT` in percent that one project may use; above it, only that project gets 503, or 429 for SDKs.'
  }),
  QUEUE_TIMEOUT_MS: integer(100, 60_000, { default: 2000, description: 'Milliseconds that a request waits for the queue before 503.' }),
  ALERT_SHARDS: integer(1, 64, {
    default: 1,
    description:
      'Number of shards of the alert queue; alerts of one project stay in order; the same in all processes; lower it only when the queues are empty.'
  }),
  ERRORS_CONCURRENCY: integer(1, 100, { default: 12, description: 'Batches of error events that one worker processes at a time.' }),
  INCIDENTS_CONCURRENCY: integer(1, 100, { default: 2, description: 'Batches of incident updates that one worker processes at a time.' }),
  MAIL_CONCURRENCY: integer(1, 100, { default: 2, description: 'E-mails that one worker sends at a time.' }),
  DELIVERIES_CONCURRENCY: integer(1, 100, { default: 10, description: 'Notifications that one worker sends at a time.' }),
  WEBHOOK_CONCURRENCY: integer(1, 100, {
    default: 4,
    description:
      'Requests to webhooks of one project or group, or to system hooks, that are sent at a time, half of them to one webhook; at most half of `DELIVERIES_CONCURRENCY`.'
  }),
  WEBHOOK_QUEUE_LIMIT: integer(1, 10_000_000, {
    default: 10_000,
    description: 'Requests to one webhook that wait; further ones are recorded as failed, and can be sent again.'
  }),
  MAINTENANCE_CONCURRENCY: integer(1, 20, { default: 1, description: 'Maintenance jobs that one worker processes at a time.' }),
  STORAGE_MOVES_CONCURRENCY: integer(1, 100, {
    default: 2,
    description: 'Repositories that one worker moves between storages at a time.'
  }),
  ACTIVITY_CONCURRENCY: integer(1, 100, {
    default: 2,
    description: 'Batches of activity events and of follow-ups of errors that one worker processes at a time.'
  }),
  CHECKS_CONCURRENCY: integer(1, 100, {
    default: 5,
    description:
      'Rounds of HTTP checks that one worker does at a time, each with up to 200 requests; a round begins every ten seconds and ends with its slowest check.'
  }),
  WATCHDOG_SECONDS: integer(0, 3600, {
    default: 10,
    description:
      'Seconds without a response of its event loop after which a worker is killed. The launcher kills any process that is frozen for three times as long; `0` disables both.'
  })
})
