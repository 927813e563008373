import type { Test } from 'tap'
import t from 'tap'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const categories = 'default;error;security'
const anItem = (type: string, payload: object | string, header: object = {}) =>
  `${JSON.stringify({ type, ...header })}\n${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`
const aSession = () =>
  anItem('session', { sid: anEventId(), init: true, started: new Date().toISOString(), status: 'ok', attrs: { release: 'shop@1.2.3' } })
const anAttachment = anItem('attachment', 'the log', { filename: 'log.txt', length: 7 })
const aReport = anItem('client_report', { discarded_events: [{ category: 'error', reason: 'before_send', quantity: 4 }] })
const feedback = anItem('user_report', { name: 'Ann', comments: 'I could not pay' })

/** A project with no event left in its quota, whatever the time. */
async function openExhaustedProject(t: Test) {
  const made = await openProject(t)
  const { platform, send, project } = made

  await platform.pool.query('UPDATE error_settings SET events_per_minute = 0 WHERE project_id = $1', [project.id])
  await platform.pool.query(`SELECT pg_notify('${platform.config.namespace}_changed', 'client-key')`)
  await eventually(async () => (await send(anEnvelope())).statusCode === 429, 'the quota is known')

  return {
    ...made,
    stored: async () => {
      const { rows } = await platform.pool.query(
        `SELECT category, sum(items)::int AS items FROM error_stored_counts WHERE project_id = $1 GROUP BY 1 ORDER BY 1`,
        [project.id]
      )

      return Object.fromEntries(rows.map(({ category, items }) => [category, items]))
    },
    dropped: async () => {
      const { rows } = await platform.pool.query(
        `SELECT category, reason, items FROM error_dropped_counts WHERE category <> 'envelope' AND project_id = $1 ORDER BY 1, 2`,
        [project.id]
      )

      return rows
    }
  }
}

t.test('a quota that is used up refuses events at every address, by their categories', async t => {
  const { send, app, project, key } = await openExhaustedProject(t)
  const at = (path: string) => `/api/${project.id}/${path}/?sentry_key=${key.public_key}`

  for (const [path, body] of [
    ['envelope', anEnvelope()],
    ['envelope', anEnvelope() + anAttachment],
    ['store', '{"message":"m"}'],
    ['security', '{"csp-report":{"violated-directive":"img-src"}}'],
    ['csp-report', '{"csp-report":{"violated-directive":"img-src"}}']
  ] as const) {
    const { statusCode, headers } = await send(body, {}, at(path))

    t.equal(statusCode, 429, path)
    t.match(headers['x-sentry-rate-limits'], new RegExp(`^\\d{1,2}:${categories}:project:quota$`))
    t.match(headers['retry-after'], /^\d{1,2}$/)
  }
  t.equal((await app.inject(`${at('store')}&sentry_data={}`)).statusCode, 429, 'a pixel')
  t.equal((await send('MDMP', {}, at('minidump'))).statusCode, 200, 'what is not stored uses no quota')
})

t.test('a quota that is used up leaves sessions, feedback, attachments and client reports alone', async t => {
  const { send, stored, dropped } = await openExhaustedProject(t)
  const header = JSON.stringify({ event_id: anEventId() })

  for (const item of [aSession(), anAttachment, feedback, aReport]) {
    const response = await send(`${header}\n${item}`)

    t.equal(response.statusCode, 200, item)
    t.same(response.json(), {})
    t.notOk('x-sentry-rate-limits' in response.headers)
  }
  await eventually(async () => Object.keys(await stored()).length === 4, 'all is stored')
  t.same(await stored(), { attachment: 1, client_report: 1, feedback: 1, session: 1 })
  t.same(await dropped(), [])
})

t.test('an envelope over its quota loses its event with the attachments, and the SDK is told which categories to pause', async t => {
  const { send, stored, dropped, errors } = await openExhaustedProject(t)
  const response = await send(anEnvelope() + anAttachment + aSession() + aReport)

  t.equal(response.statusCode, 200)
  t.same(response.json(), {})
  t.match(response.headers['x-sentry-rate-limits'], new RegExp(`^\\d{1,2}:${categories}:project:quota$`))
  await eventually(async () => (await dropped()).length === 2, 'the drops are counted')
  t.same(await dropped(), [
    { category: 'attachment', reason: 'quota', items: 1 },
    { category: 'error', reason: 'quota', items: 1 }
  ])
  t.same(await stored(), { client_report: 1, session: 1 })
  t.same(await errors(), [])
})
