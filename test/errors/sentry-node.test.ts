import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { plainly } from '../support/children.ts'
import { openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { eventually, onBothBackends } from '../support/world.ts'

const script = join(import.meta.dirname, 'fixtures', 'sentry-node.mjs')

onBothBackends(t, '@sentry/node, pointed at the DSN, gets all it has to tell through', async (t, kind) => {
  const { app, key, untilStored, call, path, platform } = await openProject(t, { kind })

  await listen(app)
  const { port } = app.server.address() as AddressInfo
  const dsn = key.sentry_dsn.replace('tocsin.test', `127.0.0.1:${port}`)
  const { stdout } = await promisify(execFile)(...plainly(process.execPath, [script, dsn]))
  const sent = JSON.parse(stdout)
  const errors = await untilStored(3)

  t.equal(sent.isFlushed, true)
  t.same(errors.map((error: { name: string }) => error.name).sort(), ['RangeError', 'TypeError', 'something to know'])
  const typeError = errors.find((error: { name: string }) => error.name === 'TypeError')
  t.hasStrict(typeError, { description: 'it broke', platform: 'node', level: 'error', approximated_user_count: 1 })
  t.match(typeError, { actor: /pay/ })
  t.hasStrict(
    errors.find((error: { name: string }) => error.name === 'something to know'),
    { level: 'warning' }
  )

  const { body: events } = await call('GET', `${path}/errors/${typeError.fingerprint}/events`)
  hasExactly(t, events, [{ event_id: sent.eventId, environment: 'testing', release: 'shop@1.2.3', tags: { till: '4' } }])
  const { exception, user, breadcrumbs } = JSON.parse(events[0].payload)
  hasExactly(t, exception.values, [{ type: 'SyntaxError', value: 'the card was declined' }, { type: 'TypeError' }])
  t.hasStrict(exception.values[1].stacktrace.frames.at(-1), { function: 'pay', filename: script, in_app: true })
  hasExactly(
    t,
    { user, breadcrumbs },
    { user: { id: '17', email: 'ann@example.com' }, breadcrumbs: { values: [{ message: 'The cart was opened' }] } }
  )

  // What it says when it ends may be worked in any order.
  const rows = async (query: string) => (await platform.pool.query(query)).rows
  const sessions = await eventually(async () => {
    const all = await rows('SELECT release, environment, started, exited, errored, crashed FROM error_sessions')
    return all[0]?.errored > 0 && all
  }, 'the run is counted as a session')
  t.same(sessions, [{ release: 'shop@1.2.3', environment: 'testing', started: 1, exited: 0, errored: 1, crashed: 0 }])
  const [loss] = await eventually(async () => {
    const all = await rows('SELECT category, reason, items FROM error_client_discards')
    return all.length > 0 && all
  }, 'what the program kept for itself is counted')
  t.same(loss, { category: 'error', reason: 'before_send', items: 1 })
  t.strictSame(await rows('SELECT filename, content FROM error_attachments'), [
    { filename: 'receipt.txt', content: Buffer.from('One coffee') }
  ])
})
