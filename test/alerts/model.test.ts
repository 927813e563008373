import t from 'tap'
import { Alert } from '#alerts/alert.ts'
import { AlertNote } from '#alerts/alert-note.ts'
import { AlertSetting } from '#alerts/alert-setting.ts'
import { MetricImage } from '#alerts/details/metric-image.ts'
import { createIntegration } from '#alerts/integrations/create-integration.ts'
import { Integration } from '#alerts/integrations/integration.ts'
import { Issue } from '#issues/issue.ts'
import { IssueNote } from '#issues/issue-note.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'

t.test('the first integration of each kind has the legacy URL, others a URL with their name', async t => {
  const { call, platform, config } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = project.path_with_namespace
  const create = async (name: string, kind: 'http' | 'prometheus' | 'on_call') =>
    (await createIntegration(platform.fork(), config, project.id, { name, kind })).integration.url(config.baseUrl, path)

  t.equal(await create('Uptime', 'http'), `${config.baseUrl}/${path}/alerts/notify.json`)
  t.match(await create('Uptime, Übersee', 'http'), /\/alerts\/notify\/uptime-ubersee\/[0-9a-f]{16}\.json$/)
  t.equal(await create('Metrics', 'prometheus'), `${config.baseUrl}/${path}/prometheus/alerts/notify.json`)
  t.match(await create('⚠', 'prometheus'), /\/alerts\/notify\/http-endpoint\/[0-9a-f]{16}\.json$/)
  t.match(await create('Pager', 'on_call'), /\/alerts\/notify\/pager\/[0-9a-f]{16}\.json$/)
})

t.test('all entities are stored and read back', async t => {
  const { call, platform, config } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const em = platform.fork()
  const at = new Date('2026-11-21T10:00:00Z')
  const { integration, key } = await createIntegration(em, config, project.id, { name: 'Uptime', kind: 'http' })

  t.match(key, /^[0-9a-f]{32}$/)
  em.create(AlertSetting, { projectId: project.id, severityFloor: 'high' })
  const issue = em.create(Issue, { projectId: project.id, iid: 1, title: 'Down', issueType: 'incident', severity: 'high' })
  await em.flush()
  const alert = em.create(Alert, {
    projectId: project.id,
    iid: 1,
    integrationId: integration.id,
    kind: 'generic',
    severity: 'high',
    title: 'Down',
    hosts: ['a', 'b'],
    startedAt: at,
    payload: '{"title":"Down"}',
    issueId: issue.id
  })
  await em.flush()
  em.create(AlertNote, { alertId: alert.id, authorId: 1, body: 'Looking into it.' })
  em.create(IssueNote, { issueId: issue.id, authorId: 1, body: 'Looking into it.' })
  em.create(MetricImage, { alertId: alert.id, filename: 'cpu.png', contentType: 'image/png', size: 9, storedAs: 'x' })
  t.ok(alert.changeStatus('resolved', at))
  t.ok(issue.close(at))
  await em.flush()

  const read = platform.fork()

  hasExactly(t, await read.findOneOrFail(Alert, { severity: 'high' }, { populate: ['payload'] }), {
    status: 'resolved',
    endedAt: at,
    hosts: ['a', 'b'],
    payload: '{"title":"Down"}',
    events: 1
  })
  t.hasStrict(await read.findOneOrFail(Integration, { id: integration.id }), { mapping: {}, active: true })
  t.hasStrict(await read.findOneOrFail(AlertSetting, { projectId: project.id }), { severityFloor: 'high', isFingerprinting: true })
  t.hasStrict(await read.findOneOrFail(Issue, { iid: 1 }), { state: 'closed', closedAt: at, severity: 'high' })
  t.equal(await read.count(AlertNote), 1)
  t.equal(await read.count(IssueNote), 1)
  t.equal(await read.count(MetricImage), 1)
})
