import type { FastifyInstance } from 'fastify'
import { connectPage } from './connect.ts'
import { integrationDetailsPage } from './details.ts'
import { integrationsPage } from './list.ts'
import { mappingPage } from './mapping.ts'
import { newIntegrationPage } from './new.ts'
import { testAlertPage } from './test-alert.ts'

/** Where a project's alerts come from: all pages of it. */
export async function alertIntegrationPages(app: FastifyInstance) {
  for (const part of [integrationsPage, newIntegrationPage, integrationDetailsPage, connectPage, mappingPage, testAlertPage])
    await app.register(part)
}
