import type { Severity } from '#lib/severity.ts'
import { type EntityManager, query } from '#platform/database/database.ts'
import { setCounters } from '#projects/counter-store.ts'
import { alertColumns, toColumn } from '../alert.ts'
import type { IntegrationKind } from '../integrations/integration.ts'
import type { ParsedPayload, ParseOptions } from '../parse/parsed-alert.ts'
import { mappingWith, senderOf } from '../presets/presets.ts'
import type { AlertAggregator, AlertState } from './aggregate-alerts.ts'
import { type ProjectAlertState, storeNotes } from './alert-note-store.ts'

interface Request {
  projectId: number
  integrationId: number | null
}

export interface ReceiveSettings extends Omit<ParseOptions, 'receivedAt'> {
  updatesOnRepeat: boolean
}

/** How to process the payloads of each integration; deleted integrations are left out. */
export async function findReceiveSettings(em: EntityManager, requests: Request[]) {
  const rows = await query<{ id: number; kind: IntegrationKind; preset: string | null } & ReceiveSettings>(
    em,
    `SELECT id, kind, preset, mapping, coalesce(is_fingerprinting, true) AS "isFingerprinting", coalesce(updates_on_repeat, true) AS "updatesOnRepeat"
     FROM alert_integrations LEFT JOIN alert_settings USING (project_id) WHERE id = ANY ($1::bigint[])`,
    [[...new Set(requests.map(({ integrationId }) => integrationId))]]
  )

  return new Map(
    rows.map(({ id, kind, preset, mapping, ...settings }): [number, ReceiveSettings] => [
      id,
      { ...settings, mapping: mappingWith(preset, mapping), sender: senderOf(kind, preset) }
    ])
  )
}

interface OpenAlertRow {
  project_id: number
  fingerprint: string
  iid: number
  title: string
  description: string | null
  severity: Severity
  started_at: Date
}

/** The unresolved alerts with the fingerprints of the payloads, by project and fingerprint; locked until the transaction ends. */
export async function findOpenAlerts(em: EntityManager, requests: Request[], payloads: ParsedPayload[]) {
  const keys = requests.flatMap(({ projectId }, n) =>
    payloads[n]!.alerts.flatMap(({ fingerprint }) => (fingerprint ? [{ project_id: projectId, fingerprint }] : []))
  )
  const rows = await query<OpenAlertRow>(
    em,
    `SELECT project_id, fingerprint, a.iid, a.title, a.description, a.severity, a.started_at
     FROM (SELECT DISTINCT * FROM json_to_recordset($1) AS n (project_id bigint, fingerprint text)) n
     JOIN alerts a USING (project_id, fingerprint)
     WHERE a.fingerprint IS NOT NULL AND a.status <> 'resolved'
     ORDER BY a.project_id, a.iid FOR NO KEY UPDATE OF a`,
    [JSON.stringify(keys)]
  )
  const open = new Map<number, Map<string, AlertState>>()

  for (const { project_id: projectId, fingerprint, description, started_at: startedAt, ...row } of rows) {
    const state = { ...row, description: description ?? undefined, events: 0, startedAt, changedAt: new Date(0) }

    open.set(projectId, (open.get(projectId) ?? new Map()).set(fingerprint, state))
  }

  return open
}

/** Stores the outcome of a batch. Rows are in the order of their keys, so that two workers cannot deadlock. */
export async function storeAlerts(em: EntityManager, aggregators: Map<number, AlertAggregator>) {
  const states = [...aggregators]
    .flatMap(([projectId, { touched }]) => [...touched].map(state => ({ projectId, ...state })))
    .sort((a, b) => a.projectId - b.projectId || a.iid - b.iid)
  const created = states.filter(state => state.created)

  // Updates go first: at most one alert of a fingerprint may be unresolved.
  await updateAlerts(
    em,
    states.filter(state => !state.created)
  )
  if (created.length > 0) {
    await insertAlerts(em, created)
    await setCounters(
      em,
      'alerts',
      [...aggregators].map(([projectId, { lastIid }]) => [projectId, lastIid])
    )
  }
  await storeNotes(em, states)
}

async function updateAlerts(em: EntityManager, states: ProjectAlertState[]) {
  if (states.length === 0) return
  const rows = states.map(({ projectId, iid, events, endedAt, changedAt, seenAt, previous, title, description, severity }) =>
    toColumns({ projectId, iid, events, endedAt, changedAt, seenAt, ...(previous && { title, description, severity }) })
  )

  await query(em, update, [JSON.stringify(rows)])
}

/** Repetitions are also counted by hour. The occurrences that created the alert are not: they are at its creation. */
const update = `
  WITH changed AS (
  UPDATE alerts a SET
    events = a.events + n.events,
    title = coalesce(n.title, a.title),
    description = coalesce(n.description, a.description),
    severity = coalesce(n.severity, a.severity),
    status = CASE WHEN n.ended_at IS NULL THEN a.status ELSE 'resolved' END,
    ended_at = coalesce(n.ended_at, a.ended_at),
    updated_at = greatest(a.updated_at, n.changed_at),
    last_seen_at = greatest(a.last_seen_at, n.seen_at)
  FROM json_to_recordset($1) AS n (
    project_id bigint, iid bigint, events bigint, ended_at timestamptz, changed_at timestamptz, seen_at timestamptz,
    title text, description text, severity alert_severity
  )
  WHERE a.project_id = n.project_id AND a.iid = n.iid
  RETURNING a.id, n.events, n.seen_at)
  INSERT INTO alert_hours AS h (alert_id, hour, events)
  SELECT id, date_trunc('hour', seen_at, 'UTC'), events FROM changed WHERE events > 0
  ON CONFLICT (alert_id, hour) DO UPDATE SET events = h.events + excluded.events`

function insertAlerts(em: EntityManager, states: ProjectAlertState[]) {
  const rows = states.map(({ projectId, iid, title, description, severity, events, endedAt, changedAt, seenAt, created }) => {
    const { integrationId, at } = created!
    const { given, ...alert } = created!.alert
    const status = endedAt ? 'resolved' : 'triggered'
    const counted = { projectId, iid, integrationId, status, events, endedAt, createdAt: at, updatedAt: changedAt, lastSeenAt: seenAt }

    return toColumns({ ...alert, title, description, severity, ...counted })
  })

  return query(em, insert, [JSON.stringify(rows)])
}

const insertedColumns = alertColumns.filter(column => column !== 'id')
const insert = `INSERT INTO alerts (${insertedColumns}) SELECT ${insertedColumns} FROM json_populate_recordset(NULL::alerts, $1)`

function toColumns(values: object) {
  return Object.fromEntries(Object.entries(values).map(([property, value]) => [toColumn(property), value]))
}
