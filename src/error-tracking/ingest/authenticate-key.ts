import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { Cache } from '../../platform/cache/cache.ts'
import type { Listener } from '../../platform/database/listener.ts'
import { IngestError } from './ingest-error.ts'
import { type BaselineRow, baselineColumns, spikeThreshold } from './spike-protection.ts'

/** What the door has to know of a client key. */
export interface CachedKey {
  id: number
  projectId: number
  isActive: boolean
  isIntakeOn: boolean
  /** Events a minute, of the key and of its whole project. */
  quota?: number
  projectQuota?: number
  /** Of the project's events of a minute, only so many are kept. */
  spikeThreshold?: number
}

const wellFormed = /^\w{1,64}$/

/**
 * Keys by their text, remembered for a minute, forgotten at once when a key or its project changes. Projects without
 * a quota of their own get the default one; 0 is none.
 */
export function clientKeys(pool: pg.Pool, listener: Listener, defaultQuota: number) {
  return new Cache<CachedKey>(listener, {
    name: 'client-key',
    load: async publicKey => {
      const { rows } = await pool.query({
        name: 'client-key',
        text: `SELECT k.id, k.project_id, k.active,
                 coalesce(s.active AND s.integrated AND p.monitoring_access_level <> 'disabled', false) AS intake,
                 k.events_per_minute AS quota, s.events_per_minute AS project_quota, s.has_spike_protection, ${baselineColumns}
               FROM client_keys k JOIN projects p ON p.id = k.project_id LEFT JOIN error_settings s USING (project_id) WHERE k.public_key = $1`,
        values: [publicKey]
      })
      const [row] = rows

      return row && known(row, defaultQuota)
    }
  })
}

interface KeyRow extends BaselineRow {
  id: number
  project_id: number
  active: boolean
  intake: boolean
  quota: number | null
  project_quota: number | null
  has_spike_protection: boolean | null
}

function known(row: KeyRow, defaultQuota: number): CachedKey {
  return {
    id: row.id,
    projectId: row.project_id,
    isActive: row.active,
    isIntakeOn: row.intake,
    quota: row.quota ?? undefined,
    projectQuota: row.project_quota ?? (defaultQuota || undefined),
    spikeThreshold: row.has_spike_protection ? spikeThreshold(row) : undefined
  }
}

/** Lets a request in when the key belongs to the project it names. */
export async function authenticateKey(keys: Cache<CachedKey>, publicKey: string | undefined, project: string) {
  if (publicKey === undefined) throw new IngestError(401, 'No client key: send sentry_key in the query or in an X-Sentry-Auth header.')
  if (!wellFormed.test(publicKey)) throw new IngestError(401, 'The client key is malformed.')
  const known = keys.get(publicKey)
  const key = known instanceof Promise ? await known : known

  if (!key?.isActive || String(key.projectId) !== project) {
    throw new IngestError(403, 'The client key is unknown, disabled, or belongs to another project.')
  }
  if (!key.isIntakeOn) throw new IngestError(403, 'Error tracking is not active for this project.')

  return key
}

/** Header and query may both carry the key, as long as they agree. Nothing when neither does. */
export function readKey({ headers, query, params }: FastifyRequest) {
  const inQuery = (query as Record<string, unknown>).sentry_key ?? (params as { key?: string }).key
  const auth = headers['x-sentry-auth'] || headers.authorization ? keysInHeaders(headers) : []
  const [key, ...others] = inQuery ? [inQuery, ...auth] : auth

  if (others.some(other => other !== key)) throw new IngestError(401, 'Several client keys that do not agree.')
  if (key !== undefined && typeof key !== 'string') throw new IngestError(401, 'The client key is malformed.')

  return key
}

function keysInHeaders(headers: FastifyRequest['headers']) {
  return [keyIn(headers['x-sentry-auth'] as string | undefined), keyIn(headers.authorization), basicUser(headers.authorization)].filter(
    Boolean
  )
}

function keyIn(header = '') {
  return /^Sentry\s/i.test(header) ? /\bsentry_key=([^,\s]*)/.exec(header)?.[1] : undefined
}

function basicUser(header = '') {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(header) ?? []

  return encoded && Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]
}
