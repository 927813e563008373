import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../identity/viewer.ts'

/** Whoever asks, or nobody, where anybody may. */
export function viewerOf(request: FastifyRequest) {
  return request.caller?.user as Viewer | undefined
}
