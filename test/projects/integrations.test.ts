import t from 'tap'
import { openSecrets } from '../../src/projects/integrations/project-integration.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'

const webhook = 'https://hooks.slack.test/services/T0/B0/secret-part'

async function aShop(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })
  const audited = async () =>
    (await world.call('GET', `/projects/${project.id}/audit_events`)).body
      .filter(({ event_name: name }: { event_name: string }) => name.startsWith('project_integration'))
      .map(({ event_name, details }: { event_name: string; details: Record<string, unknown> }) => ({ event_name, details }))

  return { ...world, project, path: `/projects/${project.id}/integrations`, audited }
}

t.test('an integration is set up, changed, listed and disabled', async t => {
  const { call, path, audited } = await aShop(t)
  const slack = `${path}/slack`

  hasExactly(t, await call('GET', slack), { status: 404, body: { message: '404 Integration Not Found' } })
  t.equal((await call('DELETE', slack)).status, 404)
  const set = { webhook, username: 'Tocsin', alert_channel: '#ops', alert_events: true, push_events: false, recipients: 'ignored' }
  const { status, body } = await call('PUT', slack, set)

  t.equal(status, 200)
  hasExactly(t, body, {
    slug: 'slack',
    title: 'Slack notifications',
    active: true,
    alert_events: true,
    push_events: false,
    issues_events: true,
    properties: { username: 'Tocsin', alert_channel: '#ops' }
  })
  t.strictSame((await call('PUT', slack, set)).body, body, 'twice is once')
  hasExactly(t, (await call('PUT', slack, { webhook, username: '', notify_only_broken_pipelines: true })).body, {
    id: body.id,
    alert_events: true,
    properties: { alert_channel: '#ops', notify_only_broken_pipelines: true }
  })
  await call('PUT', `${path}/asana`, { api_key: 'k' })
  const list = (await call('GET', path)).body

  hasExactly(t, list, [{ slug: 'asana' }, { slug: 'slack', active: true, alert_events: true }])
  t.notOk('properties' in list[0], 'a list has no properties')
  for (const times of ['once', 'twice']) t.equal((await call('DELETE', slack)).status, 204, times)
  hasExactly(t, (await call('GET', slack)).body, { id: body.id, active: false, alert_events: false, properties: {} })
  hasExactly(t, (await call('GET', path)).body, [{ slug: 'asana' }])
  hasExactly(t, (await audited()).toReversed(), [
    {
      event_name: 'project_integration_updated',
      details: { changed: ['username', 'alert_channel', 'push_events', 'alert_events', 'webhook'], target_details: 'slack' }
    },
    {
      event_name: 'project_integration_updated',
      details: { changed: ['notify_only_broken_pipelines', 'username'], target_details: 'slack' }
    },
    { event_name: 'project_integration_updated', details: { changed: ['api_key'], target_details: 'asana' } },
    { event_name: 'project_integration_disabled', details: { target_details: 'slack' } }
  ])
})

t.test('secrets are encrypted for their project and never returned', async t => {
  const { call, path, project, platform, audited } = await aShop(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const { body } = await call('PUT', `${path}/slack`, { webhook })
  const shown = [body, (await call('GET', `${path}/slack`)).body, (await call('GET', path)).body, await audited()]
  const { rows } = await platform.pool.query('SELECT project_id, slug, secrets, properties FROM project_integrations')

  t.notMatch(JSON.stringify(shown), 'secret-part')
  t.notMatch(Buffer.from(rows[0].secrets).toString('latin1'), 'secret-part')
  t.same(rows[0].properties, {})
  const stored = { slug: 'slack', secrets: rows[0].secrets }

  t.same(await openSecrets(platform.config, { ...stored, projectId: project.id } as never), { webhook })
  t.same(await openSecrets(platform.config, { ...stored, projectId: other.id } as never), {}, 'another project cannot read a copy')
  await call('DELETE', `${path}/slack`)
  t.equal((await platform.pool.query('SELECT secrets FROM project_integrations')).rows[0].secrets, null)
})

t.test('values that an integration cannot have are refused', async t => {
  const { call, path } = await aShop(t)

  for (const [slug, body, expected] of [
    ['slack', {}, { error: 'webhook is missing' }],
    ['slack', { webhook: '' }, { message: { webhook: ["can't be blank"] } }],
    ['slack', { webhook: 'ftp://a.test' }, { message: { webhook: ['must be a valid http or https URL'] } }],
    ['emails-on-push', { recipients: 'ann@a.test, nobody' }, { message: { recipients: ['must be e-mail addresses'] } }],
    ['emails-on-push', { recipients: ' , ' }, { message: { recipients: ['must be e-mail addresses'] } }],
    ['youtrack', { project_url: 'http://a.test' }, { error: 'issues_url is missing' }],
    ['slack', { webhook, push_events: 'maybe' }, { error: 'push_events is invalid' }],
    ['nothing', {}, { error: 'slug does not have a valid value' }]
  ] as const) {
    hasExactly(
      t,
      await call('PUT', `${path}/${slug}`, body),
      { status: 400, body: expected },
      `${slug} ${JSON.stringify(body).slice(0, 80)}`
    )
  }
  for (const method of ['GET', 'DELETE'] as const) t.equal((await call(method, `${path}/nothing`)).status, 400)
  t.strictSame((await call('GET', path)).body, [])
})

t.test("GitLab's former name of integrations works", async t => {
  const { call, path, project } = await aShop(t)
  const services = `/projects/${project.id}/services`

  hasExactly(t, await call('PUT', `${services}/emails-on-push`, { recipients: 'ann@a.test bob@a.test' }), {
    status: 200,
    body: { active: true, properties: { recipients: 'ann@a.test bob@a.test' } }
  })
  t.strictSame((await call('GET', services)).body, (await call('GET', path)).body)
  t.strictSame((await call('GET', `${services}/emails-on-push`)).body, (await call('GET', `${path}/emails-on-push`)).body)
  t.equal((await call('DELETE', `${services}/emails-on-push`)).status, 204)
})
