import t, { type Test } from 'tap'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

/** The same story in each place. */
const places = {
  project: (ids: { project: number; group: number }) => ({ api: `/projects/${ids.project}/hooks`, page: `/projects/${ids.project}/hooks` }),
  group: (ids: { project: number; group: number }) => ({ api: `/groups/${ids.group}/hooks`, page: `/groups/${ids.group}/-/hooks` }),
  system: () => ({ api: '/hooks', page: '/admin/hooks' })
}
const secrets = ['the-token', 'the-variable', 'the-header', 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=']
const [token, variable, header, signing] = secrets as [string, string, string, string]

async function openHooks(t: Test, kind: keyof typeof places, env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const { body: group } = await world.call('POST', '/groups', { name: 'Town', path: 'town' })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const { api, page } = places[kind]({ project: project.id, group: group.id })
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(`${page}/new`)

  return { ...world, group, project, api, page, root, hooks: async () => (await world.call('GET', api)).body }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="error"[^>]*>([^<]+)</g)].map(([, text]) => text)
}

/** What browsers always send. */
const all = { branch_filter_strategy: 'all_branches' }

/** All fields of a new webhook. */
const filled = {
  url: 'https://hooks.example/{secret}',
  name: 'Build server',
  description: 'Starts the build',
  token,
  signing_token: signing,
  branch_filter_strategy: 'regex',
  push_events_branch_filter: '^main$',
  enable_ssl_verification: 'true',
  custom_webhook_template: '{"kind": "{{object_kind}}"}',
  variable_name_0: 'secret',
  variable_secret_0: variable,
  header_name_0: 'X-Api-Key',
  header_secret_0: header
}

for (const kind of ['project', 'group', 'system'] as const) {
  t.test(`a webhook is created, changed and deleted on pages, and its secrets are in no answer: ${kind}`, async t => {
    const { root, page, api, call, hooks } = await openHooks(t, kind)
    const bodies: string[] = []
    const get = async (url: string) => {
      const { body, statusCode } = await root.get(url)

      t.equal(statusCode, 200, url)
      bodies.push(body)

      return body
    }

    t.match(await get(page), /class="empty"[\s\S]+href="[^"]+\/hooks\/new"/)
    await get(`${page}/new`)
    const created = await root.post(page, { ...filled, events: ['push_events', 'tag_push_events'] })
    const [hook] = await hooks()

    t.hasStrict(created, { statusCode: 303, headers: { location: `${page}/${hook.id}` } })
    t.hasStrict(hook, {
      url: filled.url,
      name: 'Build server',
      description: 'Starts the build',
      push_events: true,
      tag_push_events: true,
      push_events_branch_filter: '^main$',
      branch_filter_strategy: 'regex',
      enable_ssl_verification: true,
      custom_webhook_template: filled.custom_webhook_template,
      token_present: true,
      signing_token_present: true,
      url_variables: [{ key: 'secret' }],
      custom_headers: [{ key: 'X-Api-Key' }]
    })
    t.match(await get(page), /Build server<[\s\S]+>working<[\s\S]+Pushes · Tags/)
    const form = await get(created.headers.location!)
    const { name, description, url, branch_filter_strategy: strategy, push_events_branch_filter: filter } = filled
    const same = { url, name, description, branch_filter_strategy: strategy, push_events_branch_filter: filter }

    t.match(form, /If you change the URL, tokens, custom headers and URL variables are deleted/)
    t.match(form, /value="tag_push_events" checked/)

    // Empty secrets stay, and a cleared box is off.
    const path = `${page}/${hook.id}`
    const saved = await root.post(path, { ...same, header_name_0: 'X-More', header_secret_0: header, events: 'tag_push_events' })

    t.hasStrict(saved, { statusCode: 303, headers: { location: path } })
    t.hasStrict((await hooks())[0], {
      push_events: false,
      enable_ssl_verification: false,
      custom_webhook_template: null,
      token_present: true,
      signing_token_present: true,
      url_variables: [{ key: 'secret' }],
      custom_headers: [{ key: 'X-Api-Key' }, { key: 'X-More' }]
    })
    t.match(await get(page), /SSL not verified/)

    await get(path)
    await root.post(path, { ...same, removed: ['token', 'signing_token'], removed_headers: 'X-Api-Key' })
    t.hasStrict((await hooks())[0], { token_present: false, signing_token_present: false, custom_headers: [{ key: 'X-More' }] })

    await get(path)
    t.hasStrict(await root.post(`${path}/removal`), { statusCode: 303, headers: { location: page } })
    t.equal((await call('GET', `${api}/${hook.id}`)).status, 404)
    t.equal((await root.get(path)).statusCode, 404)
    t.equal((await root.post(`${path}/removal`)).statusCode, 404, 'twice is once')
    for (const secret of secrets)
      t.notOk(
        bodies.some(body => body.includes(secret)),
        `${secret} is shown nowhere`
      )
  })
}

t.test('another URL drops the secrets, and the page says so; a variable that is named must be entered', async t => {
  const { root, page, hooks } = await openHooks(t, 'project')

  await root.post(page, filled)
  const [{ id }] = await hooks()
  const path = `${page}/${id}`
  const moved = await root.post(path, { ...all, url: 'https://other.example/{secret}' })

  t.equal(moved.statusCode, 400)
  t.same(problemsOf(moved.body), ['Enter a value for secret: the URL uses it.'])
  t.equal((await hooks())[0].url, filled.url, 'nothing changed')
  await root.post(path, { ...all, url: 'https://other.example/' })
  t.hasStrict((await hooks())[0], {
    url: 'https://other.example/',
    token_present: false,
    signing_token_present: false,
    url_variables: [],
    custom_headers: []
  })
  t.match((await root.get(path)).body, /role="status"[^>]*><p>Webhook saved\. Secrets that were not entered for the new URL are deleted\./)
})

t.test('another value of a variable drops the other secrets, too, and needs all variables that the URL names', async t => {
  const { root, page, hooks, call, api } = await openHooks(t, 'project')
  const { body: hook } = await call('POST', api, {
    url: 'https://hooks.example/{one}/{two}',
    token,
    url_variables: [
      { key: 'one', value: 'the-first' },
      { key: 'two', value: variable }
    ]
  })
  const path = `${page}/${hook.id}`
  const partly = await root.post(path, { ...all, url: hook.url, variable_secret_of_one: 'another' })

  t.equal(partly.statusCode, 400)
  t.same(problemsOf(partly.body), ['The URL changes: enter the values of all variables that it uses.'])
  t.equal((await hooks())[0].token_present, true)
  await root.post(path, { ...all, url: hook.url, variable_secret_of_one: 'another', variable_secret_of_two: 'one' })
  t.hasStrict((await hooks())[0], { token_present: false, url_variables: [{ key: 'one' }, { key: 'two' }] })
})

t.test('everything that is wrong is named at once, with what was typed except for secrets', async t => {
  const { root, page, hooks } = await openHooks(t, 'project', { OUTBOUND_PRIVATE_NETWORKS: 'false' })
  const { statusCode, body } = await root.post(page, {
    ...filled,
    url: 'http://127.0.0.1/{secret}',
    name: 'N'.repeat(256),
    description: 'What I typed',
    token: `${token}\n`,
    signing_token: 'whsec_short',
    push_events_branch_filter: '(',
    custom_webhook_template: '{',
    variable_name_0: 'se cret',
    header_name_0: 'Host'
  })

  t.equal(statusCode, 400)
  t.same(problemsOf(body), [
    'Enter an address such as https://example.com/hook, outside of private networks.',
    '“se cret” is not a valid name: use letters, digits, - and _.',
    'Use at most 255 characters.',
    'Enter a regular expression that RE2 supports, with at most 1000 characters and few repetitions.',
    'Use ASCII letters, digits and symbols.',
    'Enter whsec_ and a key in Base64, of 24 bytes or more.',
    'Host cannot be set: it is reserved for the connection, or for Tocsin.',
    'Enter JSON. Fields such as {{object_kind}} are filled in.'
  ])
  t.match(body, /value="http:\/\/127\.0\.0\.1\/\{secret\}"[\s\S]+value="se cret"[\s\S]+>What I typed<[\s\S]+value="Host"/)
  for (const secret of [token, variable, header, 'whsec_short']) t.notOk(body.includes(secret), secret)
  t.match(body, /Secrets are never shown, so enter them again/)
  t.same(await hooks(), [])

  const refusal = async (fields: Record<string, string>) =>
    problemsOf((await root.post(page, { url: 'https://a.example', ...all, ...fields })).body)

  t.same(await refusal({ header_name_0: 'X-A', header_secret_0: '1', header_name_1: 'x-a', header_secret_1: '2' }), ['Use each name once.'])
  t.same(await refusal({ header_name_0: 'X-A' }), ['Enter a value for X-A.'])
  t.same(await refusal({ header_name_0: 'X-A', header_secret_0: 'é' }), ['Use ASCII letters, digits and symbols in values.'])
  t.same(await refusal({ header_name_0: 'X-A', header_secret_0: '1'.repeat(2049) }), ['Enter values of at most 2048 characters.'])
  t.same(await refusal({ branch_filter_strategy: 'other' }), ['Choose one.'])
  t.same(await hooks(), [])
})

t.test('there are at most 100 webhooks, on several pages of the list', async t => {
  const { root, page, platform, project } = await openHooks(t, 'project')

  await platform.pool.query(`INSERT INTO webhooks (project_id, url) SELECT $1, 'https://a.example/' || n FROM generate_series(1, 100) n`, [
    project.id
  ])
  t.match(await root.post(page, { url: 'https://a.example', ...all }), {
    statusCode: 400,
    body: /There are 100 webhooks already\./
  })
  t.match((await root.get(page)).body, /example\/25<[\s\S]+rel="next" href="[^"]+\?page=2"/)
  t.match((await root.get(`${page}?page=4`)).body, /rel="prev" href="[^"]+\?page=3"/)
  t.equal((await root.get(`${page}?page=99999999`)).statusCode, 200)
})

t.test('a webhook that failed is shown as paused or disabled with the reason, and saving it enables it again', async t => {
  const { root, page, platform, call, api, hooks } = await openHooks(t, 'project')
  const { body: hook } = await call('POST', api, { url: 'https://a.example' })
  const set = (changes: string) => platform.pool.query(`UPDATE webhooks SET ${changes}`)

  await platform.pool.query(
    `INSERT INTO webhook_deliveries (webhook_id, event_name, trigger, payload, status, response_status, response_body)
     VALUES ($1, 'Push Hook', 'push_hooks', '{}', 'failed', '503', 'No <b>bed</b>')`,
    [hook.id]
  )
  await set('recent_failures = 2')
  t.match((await root.get(page)).body, />working<[\s\S]+2 failures in a row\. The last one, [\s\S]+<q>503 No &#60;b&#62;bed/)
  await set(`recent_failures = 5, disabled_until = now() + interval '1 hour'`)
  t.match((await root.get(page)).body, />paused<[\s\S]+Paused until [\s\S]+5 failures in a row/)
  await set('recent_failures = 40')
  for (const url of [page, `${page}/${hook.id}`]) {
    t.match((await root.get(url)).body, />disabled<[\s\S]+Disabled after 40 failures in a row[\s\S]+503 No/)
  }
  await root.post(`${page}/${hook.id}`, { url: hook.url, ...all })
  t.equal((await hooks())[0].alert_status, 'executable')
  t.notMatch((await root.get(page)).body, /failures in a row/)
})

t.test('maintainers manage the webhooks of a project, owners those of a group, and admins system hooks', async t => {
  const { call, app, root, project, group, ...world } = await openHooks(t, 'project')
  const ann = await aMember({ ...world, call, app }, 'ann')
  const urls = Object.values(places).map(of => of({ project: project.id, group: group.id }))
  const created = await Promise.all(urls.map(({ api }) => call('POST', api, { url: 'https://a.example' })))
  const pages = urls.flatMap(({ page }, n) => [page, `${page}/new`, `${page}/${created[n]!.body.id}`])
  const actions = urls.flatMap(({ page }, n) => [page, `${page}/${created[n]!.body.id}`, `${page}/${created[n]!.body.id}/removal`])
  const statuses = async () => {
    const shown = await Promise.all(pages.map(async url => (await ann.get(url)).statusCode))
    const changed = await Promise.all(actions.map(async url => (await ann.post(url, { url: 'ftp://a' })).statusCode))

    return [shown, changed]
  }
  const nine = (...triple: number[]) => triple.flatMap(status => [status, status, status])

  t.same(await statuses(), [nine(404, 404, 403), nine(404, 404, 403)], 'strangers')
  await call('POST', `/groups/${group.id}/members`, { user_id: ann.id, access_level: 30 })
  t.same(await statuses(), [nine(403, 403, 403), nine(403, 403, 403)], 'developers')
  await call('PUT', `/groups/${group.id}/members/${ann.id}`, { access_level: 40 })
  const maintained = await Promise.all(pages.map(async url => (await ann.get(url)).statusCode))
  t.same(maintained, nine(200, 403, 403), 'maintainers of the group')
  await call('PUT', `/groups/${group.id}/members/${ann.id}`, { access_level: 50 })
  const owned = await Promise.all(pages.map(async url => (await ann.get(url)).statusCode))
  t.same(owned, nine(200, 200, 403), 'owners')
  t.same(await Promise.all(urls.map(async ({ api }) => (await call('GET', api)).body.length)), [1, 1, 1], 'nothing changed')

  const visitor = new Visitor(app)

  t.equal((await visitor.get(pages[0]!)).statusCode, 401)
  t.equal((await root.get(`/projects/${project.id}/hooks/${created[1]!.body.id}`)).statusCode, 404, 'a webhook of another place')
  root.token = ''
  t.equal((await root.post(actions[2]!)).statusCode, 403, 'without a CSRF token')
})
