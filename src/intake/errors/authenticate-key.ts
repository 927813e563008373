import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import { IngestError } from './ingest-error.ts'
import { type BaselineRow, baselineColumns, spikeThreshold } from './spike-protection.ts'
import type { Dsn } from './validate-envelope.ts'

export interface CachedKey {
  id: number
  publicKey: string
  projectId: number
  isActive: boolean
  isIntakeEnabled: boolean
  /** Why the project is read-only. */
  readOnlyReason?: string
  /** Origins of pages that may send; any when empty. */
  allowedOrigins: string[]
  /** Events per minute of the key. */
  quota?: number
  /** Events per minute of its project. */
  projectQuota?: number
  /** Events per minute of the project that are stored in full. */
  spikeThreshold?: number
}

interface KeySettings {
  /** The quota of projects without one; 0 means none. */
  projectEventsPerMinute: number
  queue: { timeoutMs: number }
}

const publicKeyFormat = /^\w{1,64}$/

/**
 * Client keys by their public key, cached for a minute and invalidated when the key or its project changes.
 */
export function clientKeys(pool: pg.Pool, listener: Listener, { projectEventsPerMinute, queue }: KeySettings) {
  return new Cache<CachedKey>(listener, {
    name: 'client-key',
    withinMs: queue.timeoutMs,
    load: async publicKey => {
      const { rows } = await pool.query({
        name: 'client-key',
        text: `SELECT k.id, k.project_id, k.active, k.allowed_origins, p.read_only_reason,
                 coalesce(s.active AND s.integrated AND p.monitoring_access_level <> 'disabled', false) AS intake,
                 k.events_per_minute AS quota, s.events_per_minute AS project_quota, s.has_spike_protection, ${baselineColumns}
               FROM client_keys k JOIN projects p ON p.id = k.project_id LEFT JOIN error_settings s USING (project_id) WHERE k.public_key = $1`,
        values: [publicKey]
      })
      const [row] = rows

      return row && { ...toCachedKey(row, projectEventsPerMinute), publicKey }
    }
  })
}

interface KeyRow extends BaselineRow {
  id: number
  project_id: number
  active: boolean
  allowed_origins: string[]
  intake: boolean
  read_only_reason: string | null
  quota: number | null
  project_quota: number | null
  has_spike_protection: boolean | null
}

function toCachedKey(row: KeyRow, defaultQuota: number): Omit<CachedKey, 'publicKey'> {
  return {
    id: row.id,
    projectId: row.project_id,
    isActive: row.active,
    isIntakeEnabled: row.intake,
    allowedOrigins: row.allowed_origins,
    readOnlyReason: row.read_only_reason ?? undefined,
    quota: row.quota ?? undefined,
    projectQuota: row.project_quota ?? (defaultQuota || undefined),
    spikeThreshold: row.has_spike_protection ? spikeThreshold(row) : undefined
  }
}

/** Returns the active key of the project, or throws. */
export async function authenticateKey(keys: Cache<CachedKey>, publicKey: string | undefined, projectId: string) {
  if (publicKey === undefined) throw new IngestError(401, 'No client key: send sentry_key in the query or in an X-Sentry-Auth header.')
  if (!publicKeyFormat.test(publicKey)) throw new IngestError(401, 'The client key is malformed.')
  const cached = findKey(keys, publicKey)
  // Awaiting a cached value would cost a turn of the event loop.
  const key = cached instanceof Promise ? await cached : cached

  if (!key?.isActive || String(key.projectId) !== projectId) {
    throw new IngestError(403, 'The client key is unknown, disabled, or belongs to another project.')
  }
  if (key.readOnlyReason) throw new IngestError(403, `The project is ${key.readOnlyReason}.`)
  if (!key.isIntakeEnabled) throw new IngestError(403, 'Error tracking is not active for this project.')

  return key
}

/** Undefined for a key that is missing, malformed or unknown. */
export function findKey(keys: Cache<CachedKey>, publicKey: unknown) {
  return typeof publicKey === 'string' && publicKeyFormat.test(publicKey) ? keys.get(publicKey) : undefined
}

/** Throws when the DSN of an envelope names another key or project than its request. */
export function checkDsn(dsn: Dsn | undefined, { publicKey, projectId }: CachedKey) {
  if (dsn === undefined || (dsn.publicKey === publicKey && dsn.projectId === String(projectId))) return
  throw new IngestError(400, 'The DSN in the envelope header names another client key or project than the request.')
}

/** The public key from the query, the path or the headers, which must agree; undefined when there is none. */
export function readPublicKey({ headers, query, params }: FastifyRequest) {
  const queryKey = (query as Record<string, unknown>).sentry_key ?? (params as { key?: string }).key
  const headerKeys = headers['x-sentry-auth'] || headers.authorization ? keysOfHeaders(headers) : []
  const [key, ...otherKeys] = queryKey ? [queryKey, ...headerKeys] : headerKeys

  if (otherKeys.some(other => other !== key)) throw new IngestError(401, 'The request has different client keys.')
  if (key !== undefined && typeof key !== 'string') throw new IngestError(401, 'The client key is malformed.')

  return key
}

function keysOfHeaders({ authorization, 'x-sentry-auth': sentryAuth }: FastifyRequest['headers']) {
  return [sentryKey(sentryAuth as string | undefined), sentryKey(authorization), basicUser(authorization)].filter(Boolean)
}

function sentryKey(header = '') {
  return /^Sentry\s/i.test(header) ? /\bsentry_key=([^,\s]*)/.exec(header)?.[1] : undefined
}

function basicUser(header = '') {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(header) ?? []

  return encoded && Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]
}
