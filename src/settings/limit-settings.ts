import { integer, section } from './setting-types.ts'

/** Bounds of sizes, rates and load. */
export const limitSettings = section('Limits', {
  GIT_PROCESSES: integer(1, 1000, {
    default: 20,
    description: 'Git commands, including clones, fetches and pushes, that one process runs at a time; further ones wait.'
  }),
  GIT_PUSH_MAX_BYTES: integer(1024, 1_099_511_627_776, {
    default: 2_147_483_648,
    description: 'Maximum size in bytes of the pack of one push.'
  }),
  GIT_IDLE_SECONDS: integer(1, 3600, {
    default: 120,
    description: 'Seconds without a byte after which a clone, fetch or push is cut off.'
  }),
  GIT_TRANSFER_SECONDS: integer(1, 86_400, {
    default: 7200,
    description: 'Maximum duration in seconds of one request of a clone, fetch or push.'
  }),
  ENVELOPE_MAX_BYTES: integer(1024, 209_715_200, {
    default: 20_971_520,
    description: 'Maximum size in bytes of an envelope as sent, still compressed.'
  }),
  ENVELOPE_MAX_INFLATED: integer(1024, 209_715_200, {
    default: 209_715_200,
    description: 'Maximum size in bytes of an envelope after decompression.'
  }),
  ATTACHMENT_MAX_BYTES: integer(0, 104_857_600, {
    default: 5_242_880,
    description: 'Maximum size in bytes of an attachment of an event; larger attachments are dropped and counted.'
  }),
  ARTIFACT_BUNDLE_MAX_BYTES: integer(1_048_576, 536_870_912, {
    default: 104_857_600,
    description: 'Maximum size in bytes of an upload of source maps, still compressed.'
  }),
  ARTIFACT_PROJECT_MAX_BYTES: integer(1_048_576, 1_099_511_627_776, {
    default: 2_147_483_648,
    description: 'Maximum size in bytes of the source maps of one project; the least recently used are evicted.'
  }),
  JOB_ARTIFACTS_MAX_BYTES: integer(1024, 1_099_511_627_776, {
    default: 104_857_600,
    description: 'Maximum size in bytes of one upload of artifacts of a CI job.'
  }),
  JOB_ARTIFACTS_PROJECT_MAX_BYTES: integer(1024, 1_099_511_627_776, {
    default: 10_737_418_240,
    description: 'Maximum size in bytes of the artifacts of all CI jobs of one project; further uploads are refused.'
  }),
  PACKAGE_FILE_MAX_BYTES: integer(1024, 1_099_511_627_776, {
    default: 1_073_741_824,
    description: 'Maximum size in bytes of one file of a package.'
  }),
  PACKAGES_PROJECT_MAX_BYTES: integer(1024, 1_099_511_627_776, {
    default: 10_737_418_240,
    description: 'Maximum size in bytes of the packages of one project; further files are refused.'
  }),
  PROJECT_EVENTS_PER_MINUTE: integer(0, 1_000_000_000, {
    default: 600_000,
    description: 'Events per minute of a project without its own limit; `0` disables the limit.'
  }),
  MAX_OFFSET: integer(100, 10_000_000, {
    default: 50_000,
    description: 'Number of rows beyond which lists with keyset pagination refuse offset pagination.'
  }),
  RATE_LIMIT_USER: integer(0, 1_000_000, {
    default: 20_000,
    description: 'Requests per minute and user to the API and the pages; `0` disables the limit.'
  }),
  RATE_LIMIT_IP: integer(0, 1_000_000, {
    default: 500,
    description: 'Requests per minute and IP address without valid credentials; `0` disables the limit.'
  }),
  RATE_LIMIT_SIGN_IN: integer(0, 1_000_000, {
    default: 10,
    description:
      'Attempts per minute and IP address to sign in, enter a second factor or change a password, and OAuth applications that register themselves; `0` disables the limit.'
  }),
  RATE_LIMIT_TOKENS: integer(0, 1_000_000, {
    default: 60,
    description: 'Tokens per minute and user, created or rotated, and as many tests of channels, mail and webhooks; `0` disables the limit.'
  }),
  RATE_LIMIT_WEBHOOK: integer(0, 1_000_000, {
    default: 1000,
    description: 'Requests per minute to one webhook; further ones wait, and tests get 429; `0` disables the limit.'
  }),
  OVERLOAD_DELAY_MS: integer(0, 60_000, {
    default: 1000,
    description: 'Event loop delay in milliseconds, averaged over a second, above which the API and the pages answer 503; `0` disables it.'
  }),
  OVERLOAD_HEAP_PERCENT: integer(0, 100, {
    default: 95,
    description: 'Heap usage in percent above which the API and the pages answer 503; `0` disables it.'
  })
})
