import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { disposition } from '#api/parameters/file-name.ts'
import { listAuditNames } from '#audit/audit-store.ts'
import { listAuditEvents } from '#audit/list-audit-events.ts'
import { instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { cursorPage } from '#pages/list.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { adminPage } from '../admin-page.ts'
import { auditCsv, maxExported } from './audit-csv.ts'
import { path, readAuditQuery, toAuditFilter } from './audit-filter.ts'
import { auditView } from './audit-view.ts'

/** Who changed what in the whole installation, newest first, and the same as a file. */
export async function auditPages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get<{ Querystring: { cursor?: string } }>(path, guard, async (request, reply) => {
    const query = readAuditQuery(request.query)
    const page = await cursorPage(listAuditEvents(request.em, toAuditFilter(query)), request.query.cursor)
    const view = { query, page, names: await listAuditNames(request.em), now: new Date() }

    return adminPage(reply, { title: 'Audit log', tab: path }, auditView(view))
  })

  app.get(`${path}/export`, guard, async (request, reply) => {
    const query = readAuditQuery(request.query)
    const day = new Date().toISOString().slice(0, 10)

    recordAuditEvent(request.em, request.actor, { name: 'audit_events_exported', entity: instance, details: { filter: query } })
    await request.em.flush()

    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', disposition('attachment', `audit-events-${day}.csv`))
      .send(Readable.from(auditCsv(listAuditEvents(request.em, toAuditFilter(query)), maxExported)))
  })
}
