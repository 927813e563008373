import type { FastifyInstance } from 'fastify'
import { incidentPage } from '../incidents/incident.ts'
import { incidentsPage } from '../incidents/list.ts'
import { alertActions } from './actions.ts'
import { alertPage } from './alert.ts'
import { alertsPage } from './list.ts'

/** What goes wrong in a project, and who does what about it: all pages of it. */
export async function alertPages(app: FastifyInstance) {
  for (const part of [alertsPage, alertPage, alertActions, incidentsPage, incidentPage]) await app.register(part)
}
