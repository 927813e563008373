import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { aProject } from '../support/factories.ts'
import { onBothBackends } from '../support/world.ts'

const script = join(import.meta.dirname, 'fixtures', 'sentry-node.mjs')

onBothBackends(t, '@sentry/node, pointed at the DSN, gets its errors through', async (t, kind) => {
  const { app, key, untilStored, call, path } = await aProject(t, { kind })

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const dsn = key.sentry_dsn.replace('tocsin.test', `127.0.0.1:${port}`)
  const { stdout } = await promisify(execFile)(process.execPath, [script, dsn])
  const sent = JSON.parse(stdout)
  const errors = await untilStored(3)

  t.equal(sent.isFlushed, true)
  t.match(errors.map((error: { name: string }) => error.name).sort(), ['RangeError', 'TypeError', 'something to know'].sort())
  const typeError = errors.find((error: { name: string }) => error.name === 'TypeError')
  t.match(typeError, { description: 'it broke', actor: /inner/, platform: 'node', level: 'error' })

  const { body: events } = await call('GET', `${path}/errors/${typeError.fingerprint}/events`)
  t.match(events, [{ event_id: sent.eventId, environment: 'testing', release: 'shop@1.2.3' }])
  t.ok(JSON.parse(events[0].payload).exception.values[0].stacktrace.frames.length > 1)
})
