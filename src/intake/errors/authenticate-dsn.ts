import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#api/problems/problems.ts'
import { Unauthenticated } from '#lib/refusals.ts'
import { checkOrigin } from './allowed-origins.ts'
import { authenticateKey, clientKeys } from './authenticate-key.ts'
import { IngestError } from './ingest-error.ts'
import { readDsn } from './validate-envelope.ts'

/** Authenticates a request with `Authorization: DSN …`, outside of the ingest API. */
export function dsnAuthentication({ pool, listener, config }: FastifyInstance['platform']) {
  const keys = clientKeys(pool, listener, config)

  return async ({ headers }: FastifyRequest) => {
    const dsn = readDsn(/^DSN\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1])

    if (!dsn) throw new Unauthenticated()
    try {
      const key = await authenticateKey(keys, dsn.publicKey, dsn.projectId)

      checkOrigin(key.allowedOrigins, headers)

      return { projectId: key.projectId, keyId: key.id }
    } catch (error) {
      throw error instanceof IngestError ? new Problem(error.status, { message: error.message }, error.headers) : error
    }
  }
}
