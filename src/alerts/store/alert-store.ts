import { type EntityManager, query } from '../../platform/database/database.ts'
import { moveCounters } from '../../projects/counters.ts'
import type { Mapping } from '../parse/mapping.ts'
import type { ParsedPayload } from '../parse/report.ts'
import type { AlertAggregator, AlertState } from './aggregate-alerts.ts'

interface Request {
  projectId: number
  integrationId: number
}

/** What has to be known of an integration to read what it sends. */
export interface ParseSettings {
  mapping: Mapping
  isFingerprinting: boolean
}

/** By integration; one that is gone has none. */
export async function findParseSettings(em: EntityManager, requests: Request[]) {
  const rows = await query<{ id: string; mapping: Mapping; is_fingerprinting: boolean }>(
    em,
    `SELECT id, mapping, coalesce(is_fingerprinting, true) AS is_fingerprinting
     FROM alert_integrations LEFT JOIN alert_settings USING (project_id) WHERE id = ANY ($1::bigint[])`,
    [[...new Set(requests.map(({ integrationId }) => integrationId))]]
  )

  return new Map(
    rows.map((row): [number, ParseSettings] => [Number(row.id), { mapping: row.mapping, isFingerprinting: row.is_fingerprinting }])
  )
}

/** The open alerts that readings are about, by project and fingerprint; held until the transaction ends. */
export async function findOpenAlerts(em: EntityManager, requests: Request[], readings: ParsedPayload[]) {
  const wanted = requests.flatMap(({ projectId }, n) =>
    readings[n]!.reports.flatMap(({ fingerprint }) => (fingerprint ? [{ projectId, fingerprint }] : []))
  )
  const rows = await query<OpenRow>(
    em,
    `SELECT project_id, fingerprint, a.iid, a.title
     FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::text[]) AS n (project_id, fingerprint)) n
     JOIN alerts a USING (project_id, fingerprint)
     WHERE a.fingerprint IS NOT NULL AND a.status <> 'resolved'
     ORDER BY a.project_id, a.iid FOR NO KEY UPDATE OF a`,
    [wanted.map(({ projectId }) => projectId), wanted.map(({ fingerprint }) => fingerprint)]
  )
  const open = new Map<number, Map<string, AlertState>>()

  for (const row of rows) {
    const projectId = Number(row.project_id)
    const standing = { iid: Number(row.iid), title: row.title, events: 0, changedAt: new Date(0) }

    open.set(projectId, (open.get(projectId) ?? new Map()).set(row.fingerprint, standing))
  }

  return open
}

interface OpenRow {
  project_id: string
  fingerprint: string
  iid: string
  title: string
}

/** Writes what became of the alerts, each set in the order of its keys. */
export async function storeAlerts(em: EntityManager, folds: Map<number, AlertAggregator>) {
  const alerts = [...folds]
    .flatMap(([projectId, { touched }]) => [...touched].map(alert => ({ projectId, ...alert })))
    .sort((a, b) => a.projectId - b.projectId || a.iid - b.iid)
  const begun = alerts.filter(alert => alert.created)

  // First, for of one fingerprint only one may be open.
  await change(
    em,
    alerts.filter(alert => !alert.created)
  )
  if (begun.length === 0) return
  await begin(em, begun)
  await moveCounters(
    em,
    'alerts',
    [...folds].map(([projectId, { lastIid }]) => [projectId, lastIid])
  )
}

type Touched = AlertState & { projectId: number }

async function change(em: EntityManager, alerts: Touched[]) {
  if (alerts.length === 0) return
  const columns = <T>(read: (alert: Touched) => T) => alerts.map(read)

  await query(em, changing, [
    columns(alert => alert.projectId),
    columns(alert => alert.iid),
    columns(alert => alert.events),
    columns(alert => alert.endedAt?.toISOString() ?? null),
    columns(alert => alert.changedAt.toISOString())
  ])
}

const changing = `
  WITH changed AS (
    UPDATE alerts a SET
      events = a.events + n.events,
      status = CASE WHEN n.ended_at IS NULL THEN a.status ELSE 'resolved' END,
      ended_at = coalesce(n.ended_at, a.ended_at),
      updated_at = n.changed_at
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
      AS n (project_id, iid, events, ended_at, changed_at)
    WHERE a.project_id = n.project_id AND a.iid = n.iid
    RETURNING a.id, n.ended_at, a.updated_at
  )
  ${notingResolved('changed')}`

async function begin(em: EntityManager, alerts: Touched[]) {
  const columns = <T>(read: (alert: Touched) => T) => alerts.map(read)
  const said = <T>(read: (report: NonNullable<AlertState['created']>['report']) => T) =>
    alerts.map(({ created: begun }) => read(begun!.report))

  await query(em, beginning, [
    columns(alert => alert.projectId),
    columns(alert => alert.iid),
    columns(alert => alert.created!.integrationId),
    said(report => report.kind),
    said(report => report.fingerprint ?? null),
    columns(alert => (alert.endedAt ? 'resolved' : 'triggered')),
    said(report => report.severity),
    said(report => report.title),
    said(report => report.description ?? null),
    said(report => report.service ?? null),
    said(report => report.monitoringTool ?? null),
    said(report => report.hosts.map(host => host.replaceAll('\x1f', ' ')).join('\x1f')),
    said(report => report.environment ?? null),
    said(report => report.runbook ?? null),
    said(report => report.metricExpression ?? null),
    said(report => report.yLabel ?? null),
    said(report => report.incidentMarkdown ?? null),
    columns(alert => alert.events),
    said(report => report.startedAt.toISOString()),
    columns(alert => alert.endedAt?.toISOString() ?? null),
    said(report => report.payload),
    columns(alert => alert.created!.at.toISOString()),
    columns(alert => alert.changedAt.toISOString())
  ])
}

/** One text for all hosts of an alert, as Postgres has no lists of lists of different lengths. */
const beginning = `
  WITH begun AS (
    INSERT INTO alerts
      (project_id, iid, integration_id, kind, fingerprint, status, severity, title, description, service, monitoring_tool, hosts,
       environment, runbook, metric_expression, y_label, incident_markdown, events, started_at, ended_at, payload, created_at, updated_at)
    SELECT project_id, iid, integration_id, kind, fingerprint, status, severity, title, description, service, monitoring_tool,
      string_to_array(hosts, E'\x1f'), environment, runbook, metric_expression, y_label, incident_markdown, events,
      started_at, ended_at, payload, created_at, changed_at
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::alert_status[], $7::alert_severity[], $8::text[],
                $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
                $18::bigint[], $19::timestamptz[], $20::timestamptz[], $21::text[], $22::timestamptz[], $23::timestamptz[])
      AS n (project_id, iid, integration_id, kind, fingerprint, status, severity, title, description, service, monitoring_tool, hosts,
            environment, runbook, metric_expression, y_label, incident_markdown, events, started_at, ended_at, payload, created_at, changed_at)
    RETURNING id, ended_at, updated_at
  )
  ${notingResolved('begun')}`

function notingResolved(alerts: string) {
  return `INSERT INTO alert_notes (alert_id, action, body, created_at)
    SELECT id, 'status', 'resolved by the monitoring tool', updated_at FROM ${alerts} WHERE ended_at IS NOT NULL ORDER BY id`
}
