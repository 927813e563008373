import { once } from 'node:events'
import t from 'tap'
import { startChild } from '../support/children.ts'
import { openWorld } from '../support/world.ts'

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
