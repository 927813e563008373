import type { Tool } from './tool.ts'
import { commentOnAlert, updateAlert } from './tools/alert-changes.ts'
import { getAlert, listAlerts } from './tools/alerts.ts'
import { listComments } from './tools/comments.ts'
import { commentOnAnError, updateError } from './tools/error-changes.ts'
import { getEvent, listErrorEvents, listErrorTags } from './tools/error-events.ts'
import { getError, listErrors } from './tools/errors.ts'
import { commentOnIncident, updateIncident } from './tools/incident-changes.ts'
import { getIncident, listIncidents } from './tools/incidents.ts'
import { listProjects } from './tools/projects.ts'
import { listReleases } from './tools/releases.ts'

/** In the order in which agents see them. */
export const tools: Tool[] = [
  listProjects,
  listErrors,
  getError,
  listErrorEvents,
  getEvent,
  listErrorTags,
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
  commentOnIncident,
  listComments
]
