import type pg from 'pg'
import type { Test } from 'tap'
import { Alert } from '#alerts/alert.ts'
import { createIntegration, type NewIntegration } from '#alerts/integrations/create-integration.ts'
import type { Mapping } from '#alerts/parse/mapping.ts'
import { anEventId } from '../support/factories.ts'
import { eventually, openApp, type WorldOptions } from '../support/world.ts'

interface Options extends WorldOptions {
  integration?: Partial<NewIntegration> & { mapping?: Mapping }
}

/** A project with an integration, a running worker, and functions to send and read alerts. */
export async function openAlertedProject(t: Test, { integration: wanted = {}, ...options }: Options = {}) {
  const world = await openApp(t, options)
  const { app, call, platform, config, work } = world
  const { body: project } = await call('POST', '/projects', { name: `Shop ${anEventId().slice(0, 6)}` })
  const { mapping, ...chosen } = wanted
  const { integration, key } = await createIntegration(platform.fork(), config, project.id, { name: 'Uptime', kind: 'http', ...chosen })
  const path = integration.url('', project.path_with_namespace)

  if (mapping) {
    await platform.pool.query('UPDATE alert_integrations SET mapping = $2 WHERE id = $1', [integration.id, mapping])
  }
  const send = (payload: unknown, headers: Record<string, string> = {}, url = path) =>
    app.inject({
      method: 'POST',
      url,
      payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
    })

  return {
    ...world,
    project,
    integration,
    key,
    path,
    send,
    worker: await work('alerts'),
    /** In the order of their iids. */
    alerts: () => platform.fork().find(Alert, { projectId: project.id }, { orderBy: { iid: 'asc' }, populate: ['payload'] })
  }
}

export interface Item {
  [member: string]: unknown
}

/** A webhook of Alertmanager's, as its version 0.25 sends it. */
export function aWebhook(items: Item[], members: Item = {}) {
  return {
    receiver: 'tocsin',
    status: items.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts: items,
    groupLabels: { alertname: 'HighLatency' },
    commonLabels: { alertname: 'HighLatency' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager:9093',
    version: '4',
    groupKey: '{}:{alertname="HighLatency"}',
    truncatedAlerts: 0,
    ...members
  }
}

export function anItem(members: Item = {}): Item {
  return {
    status: 'firing',
    labels: { alertname: 'HighLatency', severity: 'page' },
    annotations: {},
    startsAt: '2026-11-21T10:00:00.123456789Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus:9090/graph?g0.expr=latency+%3E+1&g0.tab=1',
    fingerprint: 'c0ffee0123456789',
    ...members
  }
}

/** Runs a request while another transaction holds the locks of a statement; commits that once the request waits for it. */
export async function whileLocked<T>(pool: pg.Pool, statement: string, request: () => Promise<T>) {
  const other = await pool.connect()
  let isAnswered = false

  try {
    await other.query('BEGIN')
    await other.query(statement)
    const [{ pid }] = (await other.query('SELECT pg_backend_pid() AS pid')).rows
    const response = request().finally(() => {
      isAnswered = true
    })

    // On another connection: within a transaction, pg_stat_activity does not show backends that connect later.
    await eventually(async () => {
      const { rows } = await pool.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])

      return isAnswered || rows.length > 0
    }, 'the request waits')
    await other.query('COMMIT')

    return await response
  } finally {
    // Closes the connection, which releases the lock also after a failure.
    other.release(true)
  }
}
