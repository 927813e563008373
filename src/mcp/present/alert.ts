import type { findAlert } from '#alerts/find-alert.ts'
import type { presentAlert } from '#alerts/present-alert.ts'
import { presentAlertDetails } from '#alerts/present-alert-details.ts'
import { isEmpty } from '#lib/json.ts'
import { codeBlock, compact, facts, line, section, sections } from '#lib/markdown.ts'
import { type ToolContext, toResult } from '../tool.ts'
import { bodyLimit, latestNotes, writeNotes } from './notes.ts'

const maxHosts = 20
const maxLabels = 20
const limits = {
  description: { max: 4000, rest: 'see part description' },
  details: { max: 4000, rest: 'see part details' },
  ...bodyLimit
}

type Subject = Awaited<ReturnType<typeof findAlert>>

/** An alert, and its long texts in full. */
export async function presentAlertFully({ em, baseUrl }: ToolContext, { project, alert }: Subject) {
  const shown = await presentAlertDetails(em, alert, project, baseUrl)
  const details = isEmpty(shown.details) ? undefined : JSON.stringify(shown.details, undefined, 2)

  return { shown, texts: { description: shown.description ?? undefined, details } }
}

export async function showAlert(context: ToolContext, subject: Subject) {
  const { shown, texts } = await presentAlertFully(context, subject)
  const alert = compact({ ...describeAlert(shown), ...texts })

  return toResult(
    { alert, ...latestNotes(shown.notes) },
    ({ alert: { iid, title, description, details, incident, ...values }, notes, earlier_notes }) =>
      sections(
        `# Alert ${iid}: ${title}`,
        facts({ ...values, 'incident iid': incident }),
        section('Description', description && codeBlock(description)),
        section('Custom fields', details && codeBlock(details)),
        section('Notes', writeNotes(notes)),
        earlier_notes && `Earlier notes: ${earlier_notes}`
      ),
    { limits, rest: 'get_alert with part has long texts in full, list_comments has the notes.' }
  )
}

/** The description of a list's row is its beginning. */
export function describeAlert(alert: ReturnType<typeof presentAlert>) {
  const { iid, title, description, severity, status, service, source, hosts, labels, started_at, ended_at, event_count, runbook } = alert

  return compact({
    iid,
    title: line(title, 500),
    status,
    severity,
    service,
    source,
    hosts: hosts.slice(0, maxHosts),
    labels: labels.slice(0, maxLabels),
    started_at,
    ended_at,
    event_count,
    runbook,
    web_url: alert.web_url,
    description: description && line(description),
    environment: alert.environment?.name,
    assignees: alert.assignees.map(({ username }) => username),
    incident: alert.issue_iid
  })
}

export function summarizeAlert({ iid, title, severity, status, event_count: events }: ReturnType<typeof describeAlert>) {
  return `- ${iid}: ${line(title)} [${severity}, ${status}, ${events} events]`
}
