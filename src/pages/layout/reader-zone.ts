import type { FastifyRequest } from 'fastify'
import { isTimeZone } from '#lib/time-zone.ts'

/** The reader's time zone: from the profile, or as the browser's script found it. */
export function readerZone(request: FastifyRequest) {
  const { timeZone } = request.viewer ?? {}
  const zone = timeZone || request.cookies?.time_zone

  return zone && isTimeZone(zone) ? zone : 'UTC'
}
