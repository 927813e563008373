import type { FastifyRequest } from 'fastify'
import type { User } from '../identity/user.ts'

/** Whoever asks, or nobody, where anybody may. */
export function viewerOf(request: FastifyRequest) {
  return request.caller?.user as User | undefined
}
