import type { FastifyRequest } from 'fastify'
import type { Caller } from '#lib/caller.ts'
import type { EntityManager } from '#platform/database/database.ts'

/** One kind of credential: where a request carries it, and which caller it authenticates. */
export interface AuthStrategy {
  read: (request: FastifyRequest) => string | undefined
  /** Throws when the credential is not valid for this request. */
  authenticate: (em: EntityManager, secret: string, request: FastifyRequest) => Promise<Caller | undefined>
}

export function readAccessToken(request: FastifyRequest) {
  return (
    readHeader(request, 'private-token') ?? readBearer(request) ?? readQuery(request, 'private_token') ?? readQuery(request, 'access_token')
  )
}

/** RFC 6750 §2.1. */
export function readBearer({ headers }: FastifyRequest) {
  return /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function readHeader({ headers }: FastifyRequest, name: string) {
  return nonEmptyString(headers[name])
}

export function readQuery({ query }: FastifyRequest, name: string) {
  return nonEmptyString((query as Record<string, unknown>)[name])
}

function nonEmptyString(value: unknown) {
  return typeof value === 'string' && value !== '' ? value : undefined
}
