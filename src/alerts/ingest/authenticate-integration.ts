import { hash, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { Forbidden, Unauthorized } from '../../http/problems/problems.ts'
import { Cache } from '../../platform/cache/cache.ts'
import type { Listener } from '../../platform/database/listener.ts'

/** What the door has to know of an integration. */
export interface IntegrationCredentials {
  id: number
  projectId: number
  isActive: boolean
  tokenHash: Buffer
  requestsPerMinute?: number
}

const wellFormed = /^[0-9a-f]{32}$/
/** Stands in for the key of what there is not. */
const dummyHash = Buffer.alloc(32)

/** Integrations by `path:endpoint`, remembered for a minute, forgotten at once when anything about them changes. */
export function integrationCache(pool: pg.Pool, listener: Listener) {
  return new Cache<IntegrationCredentials>(listener, {
    name: 'alert-integration',
    load: async key => {
      const [path, endpoint] = key.split(':')
      const { rows } = await pool.query({ name: 'alert-integration', text: integrationByPath, values: [path, endpoint] })
      const [row] = rows

      return row && { ...row, requestsPerMinute: row.requestsPerMinute ?? undefined }
    }
  })
}

/** Tools are configured once: what they send to a path that the project no longer has still arrives. */
const integrationByPath = `
  WITH project AS (
    SELECT id FROM projects WHERE lower(full_path) = $1
    UNION ALL SELECT project_id FROM redirects WHERE lower(full_path) = $1
    LIMIT 1
  )
  SELECT i.id, i.project_id AS "projectId", i.active AS "isActive", i.token_hash AS "tokenHash",
         s.requests_per_minute AS "requestsPerMinute"
  FROM project p JOIN alert_integrations i ON i.project_id = p.id LEFT JOIN alert_settings s ON s.project_id = p.id
  WHERE i.endpoint_identifier = $2 AND i.kind <> 'on_call'`

/** Lets a request in when its key is that of the integration it was sent to. */
export async function authenticateIntegration(
  known: Cache<IntegrationCredentials>,
  path: string,
  endpoint: string,
  key: string | undefined
) {
  const integration = await known.get(`${path.toLowerCase()}:${endpoint}`)
  const isKey = timingSafeEqual(hash('sha256', key ?? '', 'buffer'), integration?.tokenHash ?? dummyHash)

  if (!integration?.isActive) throw new NoIntegration()
  if (!isKey || !wellFormed.test(key!)) throw new Unauthorized()

  return integration
}

export class NoIntegration extends Forbidden {
  constructor() {
    super('there is no active integration at this address')
  }
}

/** The key of a Bearer, or the password of Basic, whose user name nobody looks at. */
export function readKey(authorization = '') {
  const [, scheme, credentials] = /^(Bearer|Basic)\s+(\S+)\s*$/i.exec(authorization) ?? []

  if (!credentials || scheme?.toLowerCase() === 'bearer') return credentials
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []

  return password
}
