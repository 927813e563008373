import { type EntityManager, query } from '../../platform/database/database.ts'
import { setCounters } from '../../projects/counter-store.ts'
import { alertColumns, toColumn } from '../alert.ts'
import type { Mapping } from '../parse/mapping.ts'
import type { ParsedPayload, ParseOptions } from '../parse/parsed-alert.ts'
import type { AlertAggregator, AlertState } from './aggregate-alerts.ts'

interface Request {
  projectId: number
  integrationId: number
}

export type ParseSettings = Omit<ParseOptions, 'receivedAt'>

/** How to parse the payloads of each integration; deleted integrations are left out. */
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

/** The unresolved alerts with the fingerprints of the payloads, by project and fingerprint; locked until the transaction ends. */
export async function findOpenAlerts(em: EntityManager, requests: Request[], payloads: ParsedPayload[]) {
  const keys = requests.flatMap(({ projectId }, n) =>
    payloads[n]!.alerts.flatMap(({ fingerprint }) => (fingerprint ? [{ project_id: projectId, fingerprint }] : []))
  )
  const rows = await query<{ project_id: string; fingerprint: string; iid: string; title: string }>(
    em,
    `SELECT project_id, fingerprint, a.iid, a.title
     FROM (SELECT DISTINCT * FROM json_to_recordset($1) AS n (project_id bigint, fingerprint text)) n
     JOIN alerts a USING (project_id, fingerprint)
     WHERE a.fingerprint IS NOT NULL AND a.status <> 'resolved'
     ORDER BY a.project_id, a.iid FOR NO KEY UPDATE OF a`,
    [JSON.stringify(keys)]
  )
  const open = new Map<number, Map<string, AlertState>>()

  for (const row of rows) {
    const projectId = Number(row.project_id)
    const state = { iid: Number(row.iid), title: row.title, events: 0, changedAt: new Date(0) }

    open.set(projectId, (open.get(projectId) ?? new Map()).set(row.fingerprint, state))
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
  if (created.length === 0) return
  await insertAlerts(em, created)
  await setCounters(
    em,
    'alerts',
    [...aggregators].map(([projectId, { lastIid }]) => [projectId, lastIid])
  )
}

type ProjectAlertState = AlertState & { projectId: number }

async function updateAlerts(em: EntityManager, states: ProjectAlertState[]) {
  if (states.length === 0) return
  await query(em, update, [JSON.stringify(states.map(toColumns))])
}

const update = `
  WITH stored AS (
    UPDATE alerts a SET
      events = a.events + n.events,
      status = CASE WHEN n.ended_at IS NULL THEN a.status ELSE 'resolved' END,
      ended_at = coalesce(n.ended_at, a.ended_at),
      updated_at = greatest(a.updated_at, n.changed_at)
    FROM json_to_recordset($1) AS n (project_id bigint, iid bigint, events bigint, ended_at timestamptz, changed_at timestamptz)
    WHERE a.project_id = n.project_id AND a.iid = n.iid
    RETURNING a.id, n.ended_at, n.changed_at AS updated_at
  )
  ${insertNotes()}`

function insertAlerts(em: EntityManager, states: ProjectAlertState[]) {
  const rows = states.map(({ projectId, iid, events, endedAt, changedAt, created }) => {
    const { alert, integrationId, at } = created!
    const status = endedAt ? 'resolved' : 'triggered'

    return toColumns({ ...alert, projectId, iid, integrationId, status, events, endedAt, createdAt: at, updatedAt: changedAt })
  })

  return query(em, insert, [JSON.stringify(rows)])
}

const insertedColumns = alertColumns.filter(column => column !== 'id')
const insert = `
  WITH stored AS (
    INSERT INTO alerts (${insertedColumns}) SELECT ${insertedColumns} FROM json_populate_recordset(NULL::alerts, $1)
    RETURNING id, ended_at, updated_at
  )
  ${insertNotes()}`

/** A note for each alert that the batch resolved. */
function insertNotes() {
  return `INSERT INTO alert_notes (alert_id, action, body, created_at)
    SELECT id, 'status', 'resolved by the monitoring tool', updated_at FROM stored WHERE ended_at IS NOT NULL ORDER BY id`
}

function toColumns(values: object) {
  return Object.fromEntries(Object.entries(values).map(([property, value]) => [toColumn(property), value]))
}
