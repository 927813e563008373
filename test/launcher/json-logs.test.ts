import { once } from 'node:events'
import t from 'tap'
import { startChild } from '../support/children.ts'
import { eventually, openWorld } from '../support/world.ts'
import { Launch, openPlace } from './launcher.ts'

t.test('with JSON logs every line of a web process is JSON, the welcome included', async t => {
  const world = await openWorld(t, { isPrivate: true })
  const web = startChild(t, world, ['src/server.ts'], { PORT: '0', LOG_FORMAT: 'json', LOG_LEVEL: 'info', ROOT_TOKEN: '' })
  const [message] = await once(web, 'message')
  const { level, msg, welcome } = JSON.parse(message.welcome.text)

  t.equal(level, 30)
  t.match(msg, /^ready http:\/\/localhost:\d+$/)
  t.ok(welcome.some((line: string) => /^ {2}Address +http:/.test(line)))
  t.equal(message.welcome.text.split('\n').length, 2, 'it is one line')
})

t.test('what npm start prints is JSON lines as well, each with the name of its process', async t => {
  const place = await openPlace(t)
  const launch = new Launch(place, { env: { LOG_FORMAT: 'json' } })

  await eventually(() => launch.output.includes('"msg":"ready'), 'it is ready')
  launch.process.kill('SIGTERM')
  await once(launch.process, 'exit')
  const lines = launch.output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

  t.same(
    lines.filter(({ level, time, process: name }) => level === undefined || time === undefined || name === undefined),
    []
  )
  t.hasStrict(lines.at(-1), { process: 'launcher', msg: 'stopped' })
})
