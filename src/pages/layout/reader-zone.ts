import type { FastifyRequest } from 'fastify'
import { viewerOf } from '#identity/identify.ts'
import { isTimeZone } from './time.ts'

/** The reader's time zone: from the profile, or as the browser's script found it. */
export function readerZone(request: FastifyRequest) {
  const { timeZone } = viewerOf(request) ?? {}
  const zone = timeZone || request.cookies?.time_zone

  return zone && isTimeZone(zone) ? zone : 'UTC'
}
