import type { FastifyInstance } from 'fastify'
import type { EventRow } from '#errors/events/list-events.ts'
import { readPayload } from '#errors/events/payload.ts'
import { writeError } from '#errors/events/write-error.ts'
import { boundDigest, digestEvent, writeEvent } from '#errors/events/write-event.ts'
import { NotFound } from '#lib/refusals.ts'
import { securityHeaders } from '../layout/page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type ErrorContext, errorContext, requestedEvent } from './error-context.ts'

const path = '/projects/:id/errors/:fingerprint/events/:event_id'

/** An event as Markdown and as raw JSON. */
export async function errorExports(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const [format, type, write] of [
    ['markdown', 'text/plain', errorMarkdown],
    ['json', 'application/json', (_, row) => JSON.stringify(readPayload(row.payload), undefined, 2)]
  ] as [string, string, (context: ErrorContext, row: EventRow) => string][]) {
    app.get(`${path}/${format}`, guard, async (request, reply) => {
      const context = await errorContext(request)
      const row = await requestedEvent(request, context)

      if (!row) throw new NotFound('Event')

      return reply.headers(securityHeaders(reply)).type(`${type}; charset=utf-8`).send(write(context, row))
    })
  }
}

/** For an issue or an assistant: what the error is, its stack trace and circumstances, and where it came from. */
export function errorMarkdown({ group, admin, errorUrl }: ErrorContext, row: EventRow) {
  const url = `${admin.config.baseUrl}${errorUrl}/events/${row.event_id.replaceAll('-', '')}`

  return `${writeError(group, url)}\n\n${writeEvent(boundDigest(digestEvent(row)))}`
}
