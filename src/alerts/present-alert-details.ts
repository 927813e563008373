import { parseJson } from '#lib/json.ts'
import { writeTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { listNotes, type NoteRow } from '#projects/list-notes.ts'
import { presentPerson } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import type { Alert } from './alert.ts'
import { MetricImage } from './details/metric-image.ts'
import { loadAlerts } from './load-alerts.ts'
import { customFields } from './parse/custom-fields.ts'
import { presentAlert } from './present-alert.ts'

const maxNotes = 100

/** An alert with its payload, notes and metric images. */
export async function presentAlertDetails(em: EntityManager, alert: Alert, project: Project, baseUrl: string) {
  const [row] = await loadAlerts(em, [alert.id])
  const notes = await listNotes(em, 'alert', alert.id, { sort: 'desc' }).list(maxNotes)
  const images = await em.find(MetricImage, { alertId: alert.id }, { orderBy: { id: 'asc' } })

  await em.populate(alert, ['payload'])
  const payload = String(alert.payload)

  return {
    ...presentAlert(row!, project, baseUrl),
    payload: parseJson(payload),
    details: customFields(alert.kind, payload),
    service_y_label: alert.yLabel ?? null,
    gitlab_y_label: alert.yLabel ?? null,
    service_incident_markdown: alert.incidentMarkdown ?? null,
    gitlab_incident_markdown: alert.incidentMarkdown ?? null,
    notes: notes.reverse().map(note => presentNote(note, baseUrl)),
    metric_images: images.map(image => presentImage(image, project.id, alert.iid))
  }
}

export function presentNote({ id, body, author, action, created_at }: NoteRow, baseUrl: string) {
  return {
    id,
    body,
    author: author && presentPerson(author, baseUrl),
    system: action !== null,
    action,
    created_at: writeTime(created_at)
  }
}

export function presentImage({ id, createdAt, filename, url, urlText }: MetricImage, projectId: number, iid: number) {
  return {
    id,
    created_at: createdAt.toISOString(),
    filename,
    file_path: `/api/v4/projects/${projectId}/alert_management_alerts/${iid}/metric_images/${id}/file`,
    url: url ?? null,
    url_text: urlText ?? null
  }
}
