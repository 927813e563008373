import { hash, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { NoIntegration } from '#alerts/enqueue-alerts.ts'
import { Problem } from '#api/problems/problems.ts'
import { Forbidden } from '#lib/refusals.ts'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'

export interface IntegrationCredentials {
  id: number
  projectId: number
  isActive: boolean
  readOnlyReason: string | null
  tokenHash: Buffer
  requestsPerMinute?: number
}

const keyFormat = /^[0-9a-f]{32}$/
/** Compared with the key when there is no integration, to take the same time. */
const dummyHash = Buffer.alloc(32)

/** Integrations by `path:endpoint`, invalidated when an integration or the project's settings change. */
export function integrationCache(pool: pg.Pool, listener: Listener, withinMs: number) {
  return new Cache<IntegrationCredentials>(listener, {
    name: 'alert-integration',
    withinMs,
    load: async key => {
      const [path, endpoint] = key.split(':')
      const { rows } = await pool.query({ name: 'alert-integration', text: integrationByPath, values: [path, endpoint] })
      const [row] = rows

      return row && { ...row, requestsPerMinute: row.requestsPerMinute ?? undefined }
    }
  })
}

/** Includes the project's former paths: monitoring tools keep their configuration after a rename. */
const integrationByPath = `
  WITH project AS (
    SELECT id FROM projects WHERE lower(full_path) = $1
    UNION ALL SELECT project_id FROM redirects WHERE lower(full_path) = $1
    LIMIT 1
  )
  SELECT i.id, i.project_id AS "projectId", i.active AS "isActive", a.read_only_reason AS "readOnlyReason", i.token_hash AS "tokenHash",
         s.requests_per_minute AS "requestsPerMinute"
  FROM project p JOIN projects a ON a.id = p.id JOIN alert_integrations i ON i.project_id = p.id LEFT JOIN alert_settings s ON s.project_id = p.id
  WHERE i.endpoint_identifier = $2 AND i.kind <> 'on_call'`

export async function authenticateIntegration(
  cache: Cache<IntegrationCredentials>,
  path: string,
  endpoint: string,
  key: string | undefined
) {
  const integration = await cache.get(`${path.toLowerCase()}:${endpoint}`)
  const isKeyCorrect = timingSafeEqual(hash('sha256', key ?? '', 'buffer'), integration?.tokenHash ?? dummyHash)

  if (!integration?.isActive) throw new NoIntegration()
  if (!isKeyCorrect || !keyFormat.test(key!)) throw new WrongKey()
  if (integration.readOnlyReason) throw new Forbidden(`the project is ${integration.readOnlyReason}`)

  return integration
}

/** Amazon SNS sends the password of its URL only after a challenge (RFC 9110 §11.6.1). */
class WrongKey extends Problem {
  constructor() {
    super(401, { message: '401 Unauthorized' }, { 'www-authenticate': 'Basic realm="alerts"' })
  }
}

/** A bearer token, or the password of Basic authentication; its user name is ignored. */
export function readKey(authorization = '') {
  const [, scheme, credentials] = /^(Bearer|Basic)\s+(\S+)\s*$/i.exec(authorization) ?? []

  if (!credentials || scheme?.toLowerCase() === 'bearer') return credentials
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []

  return password
}
