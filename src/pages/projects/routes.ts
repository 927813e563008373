import type { FastifyInstance } from 'fastify'
import { connectPage } from '../alert-integrations/connect/connect.ts'
import { integrationDetailsPage } from '../alert-integrations/details.ts'
import { integrationsPage } from '../alert-integrations/integration-list.ts'
import { mappingForms } from '../alert-integrations/mapping.ts'
import { newIntegrationPage } from '../alert-integrations/new.ts'
import { testAlertPage } from '../alert-integrations/test-alert.ts'
import { alertActions } from '../alerts/actions.ts'
import { alertPage } from '../alerts/alert.ts'
import { alertsPage } from '../alerts/list/alert-list.ts'
import { bulkActions as bulkAlertActions } from '../alerts/list/bulk-actions.ts'
import { commitsPage } from '../error-settings/commits.ts'
import { errorSettingsPage } from '../error-settings/error-settings.ts'
import { forwardingPage } from '../error-settings/forwarding.ts'
import { limitsPage } from '../error-settings/limits.ts'
import { ownershipPage } from '../error-settings/ownership.ts'
import { scrubbingPage } from '../error-settings/scrubbing.ts'
import { trackerPage } from '../error-settings/tracker.ts'
import { errorActions } from '../errors/actions.ts'
import { errorPage } from '../errors/error.ts'
import { eventListPage } from '../errors/event-list.ts'
import { errorExports } from '../errors/export.ts'
import { bulkActions } from '../errors/list/bulk-actions.ts'
import { errorsPage } from '../errors/list/error-list.ts'
import { savedSearches } from '../errors/list/saved-searches.ts'
import { mergedPage } from '../errors/merged.ts'
import { feedbackPage } from '../feedback/feedback-list.ts'
import { incidentActions } from '../incidents/actions.ts'
import { incidentPage } from '../incidents/incident.ts'
import { incidentsPage } from '../incidents/incident-list.ts'
import { newIncidentPage } from '../incidents/new-incident.ts'
import { monitorPages } from '../monitors/monitor.ts'
import { monitorsPage } from '../monitors/monitor-list.ts'
import { notificationPages } from '../notifications/routes.ts'
import { comparePage } from '../releases/compare.ts'
import { releasePage } from '../releases/release.ts'
import { releasesPage } from '../releases/release-list.ts'
import { setupPage } from '../setup/setup.ts'
import { statisticsPage } from '../statistics/statistics.ts'
import { alertSettingsPage } from './alert-settings.ts'
import { newProjectPage } from './new-project.ts'
import { overviewPage } from './overview.ts'
import { projectsPage } from './project-list.ts'

const alerts = [alertsPage, bulkAlertActions, alertPage, alertActions, alertSettingsPage]
const errors = [errorsPage, savedSearches, bulkActions, errorPage, eventListPage, errorActions, errorExports, mergedPage]
const errorSettings = [errorSettingsPage, scrubbingPage, limitsPage, ownershipPage, commitsPage, forwardingPage, trackerPage]
const incidents = [incidentsPage, newIncidentPage, incidentPage, incidentActions]
const integrations = [integrationsPage, newIntegrationPage, integrationDetailsPage, connectPage, mappingForms, testAlertPage]
const monitors = [monitorsPage, monitorPages]
const releases = [releasesPage, comparePage, releasePage]

/** The pages of projects. */
export async function projectPages(app: FastifyInstance) {
  for (const page of [
    projectsPage,
    newProjectPage,
    overviewPage,
    setupPage,
    statisticsPage,
    ...releases,
    ...monitors,
    feedbackPage,
    ...alerts,
    ...errors,
    ...errorSettings,
    ...incidents,
    ...integrations,
    ...notificationPages
  ])
    await app.register(page)
}
