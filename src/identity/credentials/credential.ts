import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../http/guards/guards.ts'
import type { EntityManager } from '../../platform/database/database.ts'

/** A way of saying who one is: where it stands in a request, and who that makes the caller. */
export interface CredentialKind {
  read: (request: FastifyRequest) => string | undefined
  /** Throws when it is good for nothing here. */
  identify: (em: EntityManager, secret: string, request: FastifyRequest) => Promise<Caller | undefined>
}

/** Where a token may stand that somebody made for a program. */
export function readToken(request: FastifyRequest) {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []

  return readHeader(request, 'private-token') ?? bearer ?? readQuery(request, 'private_token') ?? readQuery(request, 'access_token')
}

export function readHeader({ headers }: FastifyRequest, name: string) {
  return textOf(headers[name])
}

export function readQuery({ query }: FastifyRequest, name: string) {
  return textOf((query as Record<string, unknown>)[name])
}

function textOf(given: unknown) {
  return typeof given === 'string' && given !== '' ? given : undefined
}
