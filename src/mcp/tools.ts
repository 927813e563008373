import type { Tool } from './tool.ts'
import { commentOnAlert, getAlert, listAlerts, updateAlert } from './tools/alerts.ts'
import { commentOnAnError, updateError } from './tools/error-changes.ts'
import { getError, getEvent, listErrorEvents, listErrors } from './tools/errors.ts'
import { commentOnIncident, getIncident, listIncidents, updateIncident } from './tools/incidents.ts'
import { listProjects } from './tools/projects.ts'
import { listReleases } from './tools/releases.ts'

/** In the order in which agents see them. */
export const tools: Tool[] = [
  listProjects,
  listErrors,
  getError,
  listErrorEvents,
  getEvent,
  updateError,
  commentOnAnError,
  listReleases,
  listAlerts,
  getAlert,
  updateAlert,
  commentOnAlert,
  listIncidents,
  getIncident,
  updateIncident,
  commentOnIncident
]
