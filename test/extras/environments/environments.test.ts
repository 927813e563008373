import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { anEnvelope, anException, openProject } from '../../support/factories.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { openApp, rootToken } from '../../support/world.ts'

t.test('an environment is created, changed, stopped and deleted', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/environments`
  const { status, body: environment } = await call('POST', path, {
    name: 'review/login',
    external_url: 'https://login.test',
    description: 'D'
  })
  const one = `${path}/${environment.id}`

  t.equal(status, 201)
  hasExactly(t, environment, {
    name: 'review/login',
    slug: 'review-login-py9mn2',
    tier: 'development',
    state: 'available',
    external_url: 'https://login.test',
    description: 'D',
    auto_stop_at: null
  })
  t.strictSame((await call('GET', one)).body, environment)
  hasExactly(t, await call('PUT', one, { external_url: '', tier: 'staging', name: 'other' }), {
    status: 200,
    body: { name: 'review/login', external_url: null, tier: 'staging', description: 'D' }
  })
  hasExactly(t, await call('DELETE', one), {
    status: 403,
    body: { message: '403 Forbidden - the environment must be stopped before it is deleted' }
  })
  for (const times of ['once', 'twice'])
    hasExactly(t, await call('POST', `${one}/stop`), { status: 200, body: { state: 'stopped' } }, times)
  t.equal((await call('DELETE', one)).status, 204)
  hasExactly(t, await call('DELETE', one), { status: 404, body: { message: '404 Environment Not Found' } })
  t.equal((await call('GET', one)).status, 404)
  t.equal((await call('PUT', one, { tier: 'other' })).status, 404)
  t.strictSame((await call('GET', path)).body, [])
  hasExactly(
    t,
    (await call('GET', `/projects/${project.id}/audit_events`)).body
      .filter(({ event_name: name }: { event_name: string }) => name.startsWith('environment'))
      .map(({ event_name, details }: { event_name: string; details: { target_details: string } }) => [event_name, details.target_details])
      .toReversed(),
    ['created', 'updated', 'stopped', 'deleted'].map(change => [`environment_${change}`, 'review/login'])
  )
  t.equal((await call('POST', path, { name: 'review/login' })).status, 201, 'the name is free again')
})

t.test('values that an environment cannot have are refused', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/environments`
  const rule = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

  await call('POST', path, { name: 'live' })
  for (const [body, expected] of [
    [{ name: 'live' }, { message: { name: ['has already been taken'] } }],
    [{ name: '/live' }, { message: { name: [rule] } }],
    [{ name: 'live/' }, { message: { name: [rule] } }],
    [{ name: 'l!ve' }, { message: { name: [rule] } }],
    [{ name: 'a', external_url: 'javascript:alert(1)' }, { message: { external_url: ['must be a valid http or https URL'] } }],
    [{ name: 'a', slug: 'a' }, { error: 'slug is automatically generated and cannot be changed' }],
    [{}, { error: 'name is missing' }],
    [{ name: 'a', tier: 'best' }, { error: 'tier does not have a valid value' }]
  ] as const) {
    hasExactly(t, await call('POST', path, body), { status: 400, body: expected }, JSON.stringify(body))
  }
  hasExactly(t, await call('GET', `${path}?name=live&search=live`), { status: 400, body: { error: 'name, search are mutually exclusive' } })
  t.equal((await call('GET', `${path}?search=li`)).status, 400, 'a search has at least three characters')
})

t.test('environments are filtered by name, part of the name and state', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/environments`
  const names = async (query: string) => (await call('GET', `${path}?${query}`)).body.map(({ name }: { name: string }) => name)

  for (const name of ['production', 'preprod', 'QA_1', 'QA11']) await call('POST', path, { name })
  const [{ id }] = (await call('GET', `${path}?name=preprod`)).body

  await call('POST', `${path}/${id}/stop`)
  t.same(await names('search=PROD'), ['preprod', 'production'])
  t.same(await names('search=qa_1'), ['QA_1'], '_ is no wildcard')
  t.same(await names('name=prod'), [])
  t.same(await names('states=stopped'), ['preprod'])
  t.same(await names('states=available&search=prod'), ['production'])
  t.same(await names('states=stopping'), [])
  t.same(await names('per_page=1&page=2'), ['QA_1'])
})

t.test('the tier is guessed from the name, and the slug is a DNS label', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}/environments`

  for (const [name, tier, slug] of [
    ['production', 'production', 'production'],
    ['Prod', 'production', /^prod-[a-z0-9]{6}$/],
    ['live-eu', 'production', 'live-eu'],
    ['preprod', 'staging', 'preprod'],
    ['non-prod', 'staging', 'non-prod'],
    ['stage', 'staging', 'stage'],
    ['acceptance', 'testing', 'acceptance'],
    ['uat', 'other', 'uat'],
    ['development', 'development', 'development'],
    ['review/a-very-long-name-of-a-branch', 'development', /^review-a-very-lon-[a-z0-9]{6}$/],
    ['1st', 'other', /^env-1st-[a-z0-9]{6}$/],
    ['..', 'other', /^env-[a-z0-9]{6}$/]
  ] as const) {
    const { body } = await call('POST', path, { name })

    t.equal(body.tier, tier, name)
    if (typeof slug === 'string') t.equal(body.slug, slug)
    else t.match(body.slug, slug)
  }
})

t.test('environments that errors and deploys name are listed', async t => {
  const { call, send, untilStored, project, app } = await openProject(t)
  const path = `/projects/${project.id}/environments`
  const list = async () => (await call('GET', path)).body as { id: number; name: string; tier: string; state: string; created_at: string }[]
  const error = (environment: string) => ({ ...anException('E', 'm', ['f']), environment })

  await send(anEnvelope(error('canary')))
  await send(anEnvelope(error('größe')))
  await untilStored(2)
  const found = await list()

  hasExactly(t, found, [
    { name: 'canary', tier: 'other', state: 'available' },
    { name: 'größe', tier: 'other', state: 'available' }
  ])
  t.strictSame(await list(), found, 'listing twice adds them once')
  for (const { id } of found) {
    await call('POST', `${path}/${id}/stop`)
    await call('DELETE', `${path}/${id}`)
  }
  t.strictSame(await list(), [], 'a deleted environment stays deleted')

  const sentry = { authorization: `Bearer ${rootToken}` }
  const organization = `/api/0/organizations/${project.path_with_namespace.split('/')[0]}/releases`
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload, headers: sentry })

  await post(`${organization}/`, { version: '1.0', projects: [project.path] })
  for (const environment of ['canary', 'production']) {
    t.equal((await post(`${organization}/1.0/deploys/`, { environment })).statusCode, 201)
  }
  hasExactly(t, await list(), [
    { name: 'canary', state: 'available' },
    { name: 'production', state: 'available', tier: 'production' }
  ])
})

t.test("GitLab's client works unchanged", async t => {
  const { app, config, call } = await openApp(t)
  const host = await listen(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  config.baseUrl = host
  const { Environments } = new Gitlab({ host, token: rootToken })
  const { id } = await Environments.create(project.id, 'review/one', { externalUrl: 'https://one.test', tier: 'testing' })

  hasExactly(t, await Environments.show(project.id, id), { name: 'review/one', external_url: 'https://one.test', tier: 'testing' })
  hasExactly(t, await Environments.all(project.id, { name: 'review/one' }), [{ id }])
  hasExactly(t, await Environments.all(project.id, { states: 'stopped' }), [])
  hasExactly(t, await Environments.edit(project.id, id, { externalUrl: 'https://two.test' }), { external_url: 'https://two.test' })
  hasExactly(t, await Environments.stop(project.id, id), { state: 'stopped' })
  await Environments.remove(project.id, id)
  await t.rejects(Environments.show(project.id, id), { cause: { description: '404 Environment Not Found' } })
})
