import { writtenTime } from '#lib/zoned-time.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import type { AlertAction } from '../alert-note.ts'
import type { AlertState } from './aggregate-alerts.ts'

export type ProjectAlertState = AlertState & { projectId: number }

/** System notes about what the batch changed. */
export async function storeNotes(em: EntityManager, states: ProjectAlertState[]) {
  const notes = states.flatMap(state => {
    const { projectId, iid, changedAt } = state

    return describeChanges(state).map(([action, body]) => ({ project_id: projectId, iid, action, body, created_at: changedAt }))
  })

  if (notes.length > 0) await query(em, insert, [JSON.stringify(notes)])
}

function describeChanges({ previous, title, description, severity, startedAt, endedAt }: AlertState) {
  const notes: [AlertAction, string][] = []
  const content = [
    previous && previous.title !== title && `changed the title from **${previous.title}** to **${title}**`,
    previous && previous.description !== description && 'changed the description'
  ].filter(Boolean)

  if (previous && previous.severity !== severity)
    notes.push(['severity', `raised the severity from **${previous.severity}** to **${severity}**`])
  if (content.length > 0) notes.push(['content', content.join(' and ')])
  if (endedAt) notes.push(['status', `resolved by the monitoring tool${endedAt < startedAt ? `. ${wrongEnd(endedAt)}` : ''}`])

  return notes
}

/** Refusing it would leave the alert open. */
function wrongEnd(time: Date) {
  return `The end time that it sent, **${writtenTime(time)}**, is before the start: check its clock and its payload`
}

/** Titles often contain a measured value, which changes with every repetition: at most one note about the content in an hour. */
const insert = `
  INSERT INTO alert_notes (alert_id, action, body, created_at)
  SELECT a.id, n.action, n.body, n.created_at
  FROM ROWS FROM (json_to_recordset($1) AS (project_id bigint, iid bigint, action text, body text, created_at timestamptz)) WITH ORDINALITY n
  JOIN alerts a USING (project_id, iid)
  WHERE n.action <> 'content' OR NOT EXISTS (
    SELECT FROM alert_notes o
    WHERE o.alert_id = a.id AND o.action = 'content' AND o.created_at > n.created_at - interval '1 hour'
  )
  ORDER BY n.ordinality`
