import type { FastifyInstance } from 'fastify'
import { connectPage } from './connect.ts'
import { integrationDetailsPage } from './details.ts'
import { integrationsPage } from './list.ts'
import { mappingPage } from './mapping.ts'
import { newIntegrationPage } from './new.ts'
import { testAlertPage } from './test-alert.ts'

/** The pages of alert integrations. */
export async function alertIntegrationPages(app: FastifyInstance) {
  for (const page of [integrationsPage, newIntegrationPage, integrationDetailsPage, connectPage, mappingPage, testAlertPage])
    await app.register(page)
}
