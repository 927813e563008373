import t from 'tap'
import { whileLocked } from '../alerts/alerting.ts'
import { openApp } from '../support/world.ts'

const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString()
const changes = [
  ['PATCH', 'pages', {}],
  ['POST', 'labels', { name: 'bug', color: '#112233' }],
  ['POST', 'environments', { name: 'production' }],
  ['POST', 'issues', { title: 'Broken' }],
  ['POST', 'notification_mutes', { reason: 'Update', everything: true, ends_at: tomorrow }],
  ['POST', 'alert_integrations', { name: 'Sender' }]
] as const

t.test('a change of a project that is deleted meanwhile answers 404', async t => {
  const { platform, call } = await openApp(t)

  for (const [method, path, body] of changes) {
    const { body: project } = await call('POST', '/projects', { name: path })
    const request = () => call(method, `/projects/${project.id}/${path}`, body)
    const { status } = await whileLocked(platform.pool, `DELETE FROM projects WHERE id = ${project.id}`, request)

    t.equal(status, 404, `${method} ${path}`)
  }
})
