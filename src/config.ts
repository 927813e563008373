import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { withoutSlash } from './lib/web-url.ts'
import { checkNeeded, findUnused } from './settings/needed-together.ts'
import { readRegistry } from './settings/read-registry.ts'
import { type Environment, findMisspelt, readSettings } from './settings/read-settings.ts'
import type { Settings } from './settings/settings.ts'

/** The settings are invalid; each problem is one sentence that says how to fix it. */
export class BadConfig extends Error {
  problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export type Config = ReturnType<typeof readConfig>

/** Reads the configuration, or ends the process with one line per mistake. */
export function readConfigOrExit(): Config {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error
    process.stderr.write(`Tocsin cannot start with these settings:\n${error.problems.map(problem => `  ${problem}\n`).join('')}`)
    process.exit(1)
  }
}

const googleVerifyUrl = 'https://www.google.com/recaptcha/api/siteverify'

/** The only reader of the environment. */
export function readConfig(env: Environment = process.env) {
  const { values, problems } = readSettings(env)
  const registry = readRegistry(values, problems)

  checkNeeded(values, problems)
  if (problems.length > 0) throw new BadConfig(problems)

  const localUrl = `http://${shownHost(values.HOST)}:${values.PORT}`
  const baseUrl = withoutSlash(values.BASE_URL ?? localUrl)

  return {
    port: values.PORT,
    host: values.HOST,
    /** Without a trailing slash. Changes at run time unless it is given, as do `isSecure` and `smtp` (`StoredConfig`). */
    baseUrl,
    isBaseUrlGiven: values.BASE_URL !== undefined,
    /** Whether the environment or an admin has set it. */
    isBaseUrlSet: values.BASE_URL !== undefined,
    /** Of this process, with the port once it is known. */
    localUrl,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? embeddedUrl(values.DATA_DIR),
    databasePool: values.DATABASE_POOL,
    redisUrl: values.REDIS_URL,
    git: {
      directories: mapValues(values.REPOSITORY_STORAGES ?? new Map([['default', join(values.DATA_DIR, 'repositories')]]), path =>
        resolve(path)
      ),
      weights: mapValues(values.REPOSITORY_STORAGE_WEIGHTS ?? new Map<string, string>(), Number),
      namespace: values.NAMESPACE,
      processes: values.GIT_PROCESSES,
      searchPath: env.PATH
    },
    gitTransfers: {
      pushBytes: values.GIT_PUSH_MAX_BYTES,
      idleMs: values.GIT_IDLE_SECONDS * 1000,
      totalMs: values.GIT_TRANSFER_SECONDS * 1000
    },
    packages: { bytes: values.PACKAGE_FILE_MAX_BYTES, projectBytes: values.PACKAGES_PROJECT_MAX_BYTES },
    jobArtifacts: { bytes: values.JOB_ARTIFACTS_MAX_BYTES, projectBytes: values.JOB_ARTIFACTS_PROJECT_MAX_BYTES },
    maxOffset: values.MAX_OFFSET,
    namespace: values.NAMESPACE,
    webRole: values.WEB_ROLE,
    extras: values.EXTRAS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT === 'auto' && values.NODE_ENV === 'production' ? ('json' as const) : values.LOG_FORMAT,
    isSecure: baseUrl.startsWith('https:'),
    processName: values.PROCESS_NAME,
    root: { username: values.ROOT_USERNAME, password: values.ROOT_PASSWORD, token: values.ROOT_TOKEN },
    secretKey: values.SECRET_KEY,
    outbound: { allowsPrivate: values.OUTBOUND_PRIVATE_NETWORKS },
    spam: { url: values.SPAM_CHECK_URL, key: values.SPAM_CHECK_KEY, hasRules: values.SPAM_RULES },
    /** Undefined without one. */
    registry,
    captcha: {
      siteKey: values.RECAPTCHA_SITE_KEY,
      secretKey: values.RECAPTCHA_SECRET_KEY,
      verifyUrl: values.RECAPTCHA_VERIFY_URL ?? googleVerifyUrl
    },
    /** The OpenID Connect provider with which people sign in; undefined without one. */
    oidc: readProvider(values),
    smtp: {
      url: values.SMTP_URL,
      from: values.MAIL_FROM,
      replyTo: values.MAIL_REPLY_TO,
      isGiven: values.SMTP_URL !== undefined,
      isFromGiven: values.MAIL_FROM !== undefined
    },
    serviceVersion: values.SERVICE_VERSION,
    sessionIdleSeconds: values.SESSION_IDLE_MINUTES * 60,
    refreshReuseSeconds: values.REFRESH_REUSE_SECONDS,
    isImpersonationOn: values.IMPERSONATION_ENABLED,
    allowsClientRegistration: values.OAUTH_DYNAMIC_REGISTRATION,
    batch: { items: values.BATCH_ITEMS, bytes: values.BATCH_BYTES, ms: values.BATCH_MS, memory: values.BATCH_MEMORY },
    queue: { limit: values.QUEUE_LIMIT, tenantPercent: values.QUEUE_PROJECT_PERCENT, timeoutMs: values.QUEUE_TIMEOUT_MS },
    concurrency: {
      errors: values.ERRORS_CONCURRENCY,
      incidents: values.INCIDENTS_CONCURRENCY,
      mail: values.MAIL_CONCURRENCY,
      deliveries: values.DELIVERIES_CONCURRENCY,
      maintenance: values.MAINTENANCE_CONCURRENCY,
      activity: values.ACTIVITY_CONCURRENCY,
      checks: values.CHECKS_CONCURRENCY,
      'storage-moves': values.STORAGE_MOVES_CONCURRENCY
    } as Record<string, number>,
    webhooks: webhookLimits(values),
    alertShards: values.ALERT_SHARDS,
    watchdogSeconds: values.WATCHDOG_SECONDS,
    envelope: {
      maxBytes: values.ENVELOPE_MAX_BYTES,
      maxInflated: values.ENVELOPE_MAX_INFLATED,
      maxAttachment: values.ATTACHMENT_MAX_BYTES
    },
    artifacts: { bundleBytes: values.ARTIFACT_BUNDLE_MAX_BYTES, projectBytes: values.ARTIFACT_PROJECT_MAX_BYTES },
    projectEventsPerMinute: values.PROJECT_EVENTS_PER_MINUTE,
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    /** Requests per minute; 0 disables the limit. */
    rateLimits: {
      user: values.RATE_LIMIT_USER,
      ip: values.RATE_LIMIT_IP,
      signIn: values.RATE_LIMIT_SIGN_IN,
      tokens: values.RATE_LIMIT_TOKENS
    },
    overload: { delayMs: values.OVERLOAD_DELAY_MS, heapPercent: values.OVERLOAD_HEAP_PERCENT },
    /** Whether to load OpenTelemetry, which reads its other variables itself. */
    isTraced: isTelemetryOn(env),
    tracedAs: env.OTEL_SERVICE_NAME || 'tocsin',
    cores: availableParallelism(),
    warnings: [...findMisspelt(env), ...findUnused(values, name => Boolean(env[name]))]
  }
}

/** `checkNeeded` has seen that all are given. */
function readProvider(values: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret = '' } = values

  if (!issuer) return undefined

  return {
    issuer,
    clientId,
    clientSecret,
    name: values.OIDC_NAME,
    allowsSignUp: values.OIDC_SIGN_UP,
    requiredGroup: values.OIDC_REQUIRED_GROUP
  }
}

/** Slow receivers of one project or group hold no more than half of the deliveries that a worker runs at a time. */
function webhookLimits(values: Settings) {
  const perOwner = Math.min(values.WEBHOOK_CONCURRENCY, Math.ceil(values.DELIVERIES_CONCURRENCY / 2))

  return { perOwner, perWebhook: Math.ceil(perOwner / 2), perMinute: values.RATE_LIMIT_WEBHOOK, maxWaiting: values.WEBHOOK_QUEUE_LIMIT }
}

function mapValues<From, To>(map: Map<string, From>, convert: (value: From) => To) {
  return new Map([...map].map(([name, value]) => [name, convert(value)]))
}

function shownHost(host: string) {
  return ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host
}

/** The socket of the embedded database, which `npm start` runs in the data directory. */
function embeddedUrl(dataDir: string) {
  return `postgresql://tocsin@/tocsin?host=${encodeURIComponent(join(resolve(dataDir), 'postgres'))}`
}

function isTelemetryOn(env: Environment) {
  if (env.OTEL_SDK_DISABLED === 'true') return false

  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_TRACES_EXPORTER)
}
