import type { FastifyInstance } from 'fastify'
import { incidentPage } from '../incidents/incident.ts'
import { incidentsPage } from '../incidents/list.ts'
import { alertActions } from './actions.ts'
import { alertPage } from './alert.ts'
import { alertsPage } from './list.ts'

/** The pages of alerts and incidents. */
export async function alertPages(app: FastifyInstance) {
  for (const page of [alertsPage, alertPage, alertActions, incidentsPage, incidentPage]) await app.register(page)
}
