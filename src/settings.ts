import {
  choice,
  flag,
  httpUrl,
  integer,
  mailbox,
  matching,
  optional,
  postgresUrl,
  type Reader,
  redisUrl,
  secret,
  smtpUrl,
  text
} from './platform/reader.ts'

export interface Setting {
  read: Reader<unknown>
  fallback?: string
  /** Another name it may come by. */
  alias?: string
  about: string
}

/** Everything that can be set, in the order of the README's table. */
export const settings = {
  PORT: { read: integer(0, 65535), fallback: '3000', about: 'Port of the web process; 0 takes any free one.' },
  HOST: { read: text(), fallback: '127.0.0.1', about: 'Address the web process listens on; `0.0.0.0` for every one.' },
  BASE_URL: {
    read: optional(httpUrl()),
    about: 'The address people and clients use, for links and DSNs; from `HOST` and `PORT` when unset.'
  },
  DATA_DIR: { read: text(), fallback: '.data', about: 'Where the embedded database and uploaded files live.' },
  DATABASE_URL: { read: optional(postgresUrl()), about: 'A Postgres (14 or newer) of yours; unset, the embedded one in `DATA_DIR`.' },
  DATABASE_POOL: { read: integer(2, 500), fallback: '8', about: 'Database connections each process may open for its own queries.' },
  REDIS_URL: {
    read: optional(redisUrl()),
    about:
      'Redis, Valkey or Dragonfly for the queues (`redis://`, `rediss://`; hosts separated by commas are a cluster). Unset, they live in Postgres.'
  },
  NAMESPACE: {
    read: matching(/^[a-z][a-z0-9_]{0,40}$/, 'small letters, digits and _, at most 41'),
    fallback: 'tocsin',
    about: 'Name of the Postgres schema and prefix of the queues, so that installations can share servers.'
  },
  WEB_ROLE: { read: choice('all', 'intake', 'api'), fallback: 'all', about: 'What a web process serves: `all`, `intake` or `api`.' },
  TRUST_PROXY: { read: flag(), fallback: 'false', about: '`true` behind a proxy that sets `X-Forwarded-For` and `X-Forwarded-Proto`.' },
  LOG_LEVEL: { read: choice('trace', 'debug', 'info', 'warn', 'error', 'silent'), fallback: 'info', about: 'How much is logged.' },
  LOG_FORMAT: {
    read: choice('auto', 'json', 'pretty'),
    fallback: 'auto',
    about: '`json`, `pretty`, or `auto`: pretty unless `NODE_ENV` is `production`.'
  },
  NODE_ENV: { read: text(), fallback: 'development', about: '`production` turns on JSON logs.' },
  PROCESS_NAME: {
    read: optional(text()),
    about: 'Name of this process in logs, metrics and on the dashboard; from the host and process id when unset.'
  },
  ROOT_USERNAME: {
    read: matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}$/, 'a user name'),
    fallback: 'root',
    about: 'Name of the first admin, made at the first start.'
  },
  ROOT_PASSWORD: { read: optional(secret(8)), about: 'Password of the first admin; unset, a one-time password is made and printed.' },
  ROOT_TOKEN: {
    read: optional(secret(20)),
    about: 'Personal access token of the first admin, for automation; unset, one is made and printed.'
  },
  SECRET_KEY: {
    read: optional(secret(32)),
    about:
      'What encrypts stored credentials, such as the token of an external tracker; the same for all processes. Unset, one is made and kept in `DATA_DIR`.'
  },
  OUTBOUND_PRIVATE_NETWORKS: {
    read: flag(),
    fallback: 'false',
    about: '`true` lets what users have called from here, such as an external tracker, lie in a private network.'
  },
  SMTP_URL: {
    read: optional(smtpUrl()),
    about:
      'The server that e-mail goes out by (`smtp://user:password@host:587`, or `smtps://` for TLS from the start). Unset, none is sent.'
  },
  MAIL_FROM: {
    read: optional(mailbox()),
    about: 'Whom e-mail is from: an address, or `Name <address>`; `tocsin` at the host of `BASE_URL` when unset.'
  },
  SERVICE_VERSION: {
    read: matching(/^\d+\.\d+$/, 'a version such as 18.0'),
    fallback: '18.0',
    about: 'The API version to behave as; decides which deprecated operations still work.'
  },
  IMPERSONATION_ENABLED: {
    read: flag(),
    fallback: 'true',
    alias: 'impersonation_enabled',
    about: '`false` refuses the tokens by which admins act as other users.'
  },
  BATCH_ITEMS: { read: integer(1, 1000), fallback: '100', about: 'Most items the door puts into one job.' },
  BATCH_BYTES: {
    read: integer(1024, 16_777_216),
    fallback: '1048576',
    about: 'Most bytes the door puts into one job (a larger item travels alone).'
  },
  BATCH_MS: {
    read: integer(0, 1000),
    fallback: '2',
    about: 'How long the door waits for a batch to fill, in milliseconds; where requests trickle in, up to 20.'
  },
  BATCH_MEMORY: {
    read: integer(1_048_576, 1_073_741_824),
    fallback: '33554432',
    about: 'Most bytes a web process holds that are not in the queue yet; beyond, it refuses.'
  },
  QUEUE_LIMIT: {
    read: integer(1, 1_000_000_000),
    fallback: '1000000',
    about: 'Waiting items above which a queue takes no more (503; 429 for SDKs).'
  },
  QUEUE_TIMEOUT_MS: {
    read: integer(100, 60_000),
    fallback: '2000',
    about: 'How long a request waits for a queue that does not answer before it gets a 503.'
  },
  ERRORS_CONCURRENCY: { read: integer(1, 100), fallback: '12', about: 'Batches of errors that one worker process works on at a time.' },
  ALERT_SHARDS: {
    read: integer(1, 64),
    fallback: '1',
    about:
      'Queues that alerts are spread over by project; those of one project keep their order. The same everywhere; fewer only once they are empty.'
  },
  INCIDENTS_CONCURRENCY: {
    read: integer(1, 100),
    fallback: '2',
    about: 'Batches of news about alerts, for incidents, that one worker process works on at a time.'
  },
  MAIL_CONCURRENCY: { read: integer(1, 100), fallback: '2', about: 'E-mails that one worker process sends at a time.' },
  MAINTENANCE_CONCURRENCY: { read: integer(1, 20), fallback: '1', about: 'Maintenance jobs that one worker process works on at a time.' },
  ACTIVITY_CONCURRENCY: {
    read: integer(1, 100),
    fallback: '2',
    about: 'Batches of recorded events, and follow-ups of errors, that one worker process works on at a time.'
  },
  ENVELOPE_MAX_BYTES: { read: integer(1024, 209_715_200), fallback: '20971520', about: 'Largest envelope as sent (still compressed).' },
  ENVELOPE_MAX_INFLATED: { read: integer(1024, 209_715_200), fallback: '209715200', about: 'Largest envelope after inflating.' },
  ATTACHMENT_MAX_BYTES: {
    read: integer(0, 104_857_600),
    fallback: '5242880',
    about: 'Largest file of an event that is kept; larger ones are counted.'
  },
  ARTIFACT_BUNDLE_MAX_BYTES: {
    read: integer(1_048_576, 536_870_912),
    fallback: '104857600',
    about: 'Largest upload of source maps, still compressed.'
  },
  ARTIFACT_PROJECT_MAX_BYTES: {
    read: integer(1_048_576, 1_099_511_627_776),
    fallback: '2147483648',
    about: 'Room for the source maps of one project; beyond, those used longest ago are removed.'
  },
  EVENT_RETENTION_DAYS: { read: integer(1, 3650), fallback: '90', about: 'Days for which the payloads of errors are kept.' },
  RATE_LIMIT_USER: {
    read: integer(0, 1_000_000),
    fallback: '20000',
    about: 'Requests to the API and the pages that one user may make in a minute; 0 for no limit.'
  },
  RATE_LIMIT_IP: {
    read: integer(0, 1_000_000),
    fallback: '500',
    about: 'The same for those who do not say who they are, or say it wrongly: by address.'
  },
  RATE_LIMIT_SIGN_IN: {
    read: integer(0, 1_000_000),
    fallback: '10',
    about: 'Tries to sign in, to give a second factor or to change a password, in a minute and by address; 0 for no limit.'
  },
  RATE_LIMIT_TOKENS: {
    read: integer(0, 1_000_000),
    fallback: '60',
    about: 'Tokens that one user may make or rotate in a minute; 0 for no limit.'
  },
  OVERLOAD_DELAY_MS: {
    read: integer(0, 60_000),
    fallback: '1000',
    about: 'When everything waits so long for its turn, on average over a second, the API and the pages answer 503; 0 for never.'
  },
  OVERLOAD_HEAP_PERCENT: {
    read: integer(0, 100),
    fallback: '95',
    about: 'The same when so much of the memory that Node may use for objects is taken; 0 for never.'
  }
} satisfies Record<string, Setting>
