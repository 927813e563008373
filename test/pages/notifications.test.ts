import t from 'tap'
import { type Conditions, ruleSentence } from '#pages/notifications/rules/rule-sentence.ts'
import { openProject } from '../support/factories.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('forms of notifications name what is wrong with each field and keep what was entered', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const url = `/projects/${project.id}/notifications`
  const visitor = new Visitor(app)

  await visitor.signIn()
  const refused = async (path: string, fields: Record<string, string>, ...reasons: RegExp[]) => {
    const { statusCode, body } = await visitor.post(url + path, fields)

    t.equal(statusCode, 400, path)
    for (const reason of reasons) t.match(body, reason)
  }
  const channel = { name: 'Alerts', hourly_limit: '20', active: 'true' }
  const rule = { triggers: 'error.new', roles: 'owner', gather_minutes: '5', active: 'true' }

  await refused('/channels/new?kind=slack', { ...channel, url: 'hooks.slack.com' }, /id="url-error">Enter the whole URL/, /value="Alerts"/)
  await refused('/channels/new?kind=ntfy', { ...channel, url: 'https://ntfy.sh', topic: 'no spaces' }, /id="topic-error">Use 1 to 64/)
  await refused('/channels/new?kind=pagerduty', { ...channel, routing_key: 'short' }, /id="routing_key-error">Enter the integration key/)
  await refused('/channels/new?kind=email', channel, /Choose roles or assignees, or enter members or addresses\./)
  await refused('/channels/new?kind=email', { ...channel, usernames: 'root, @zoe' }, /No member with a confirmed address is called zoe\./)
  await refused(
    '/channels/new?kind=slack',
    { ...channel, hourly_limit: 'many' },
    /id="hourly_limit-error">Enter a whole number from 1 to 1000\./
  )
  await refused('/channels/new?kind=slack', { ...channel, hourly_limit: '', url: 'x' }, /id="hourly_limit-error"/, /id="url-error"/)
  await refused('/channels/new?kind=email', { ...channel, hourly_limit: '', usernames: 'zoe' }, /id="hourly_limit-error"/, /called zoe/)
  await refused('/channels/new?kind=slack', { ...channel, url: 'https://me:secret@example.com' }, /without a user name or password/)
  await refused('/rules/new', { ...rule, triggers: '' }, /id="triggers-error" role="alert">Choose when/)
  await refused(
    '/rules/new',
    { triggers: 'error.unseen', gather_minutes: '' },
    /id="channel_ids-error"/,
    /id="unseen_hours-error"/,
    /id="gather_minutes-error"/
  )
  await refused('/rules/new', { ...rule, tags: 'shop' }, /id="tags-error">&#34;shop&#34; has no value/)
  await refused('/rules/new', { ...rule, roles: '' }, /id="channel_ids-error" role="alert">Choose a channel/)
  await refused('/rules/new', { ...rule, triggers: 'error.frequent' }, /id="threshold_events-error">Enter a number\./)
  await refused('/rules/new', { ...rule, gather_minutes: '-1' }, /id="gather_minutes-error">Enter a whole number from 0 to 1440\./)
  await refused(
    '/rules/new',
    { ...rule, addresses: 'ops@example.com\nnonsense' },
    /id="addresses-error">&#34;nonsense&#34; is not an e-mail address\./,
    /ops@example\.com/
  )
  t.same((await call('GET', `/projects/${project.id}/notification_channels`)).body, [], 'a refused rule adds no channel')
  await refused('/mutes/new', { reason: 'Upgrade', until: 'hour', tags: 'shop' }, /id="tags-error">&#34;shop&#34; has no value/)
  await refused('/mutes/new', { reason: 'Upgrade', until: 'hour' }, /id="everything-error">To mute the whole project, check this box/)
  await refused('/mutes/new', { reason: 'Upgrade', until: 'own', ends_at: 'soon' }, /id="ends_at-error">Enter a date and a time\./)
})

t.test('without a mail server, forms say before they are filled in what works', async t => {
  const { app, project } = await openProject(t)
  const visitor = new Visitor(app)
  const home = `/projects/${project.id}/notifications`

  await visitor.signIn()
  for (const path of ['', '/rules/new', '/channels/new?kind=email'])
    t.match(
      (await visitor.get(home + path)).body,
      /No mail server is configured, so e-mail is not sent\.[\s\S]+notifications\/channels\/new">connect a channel/,
      path
    )
  t.notMatch((await visitor.get(`${home}/channels/new?kind=ntfy`)).body, /No mail server/)
})

t.test('recipients of a rule become one e-mail channel, also when two rules name them', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const path = `/projects/${project.id}`
  const visitor = new Visitor(app)
  const rule = {
    triggers: ['error.new', 'alert.triggered'],
    roles: ['owner', 'maintainer'],
    addresses: 'ops@example.com',
    gather_minutes: '5'
  }

  await visitor.signIn()
  for (let n = 0; n < 2; n++)
    t.equal((await visitor.post(`${path}/notifications/rules/new`, { ...rule, name: `Rule ${n}`, active: 'true' })).statusCode, 303)
  const { body: channels } = await call('GET', `${path}/notification_channels`)
  const { body: rules } = await call('GET', `${path}/notification_rules`)

  t.same(
    channels.map(({ name, settings }: { name: string; settings: object }) => [name, settings]),
    [
      [
        'Owners, maintainers, ops@example.com',
        { roles: ['owner', 'maintainer'], user_ids: [], assignees: false, addresses: ['ops@example.com'] }
      ]
    ]
  )
  t.same(
    rules.map(({ channel_ids: ids }: { channel_ids: number[] }) => ids),
    [[channels[0].id], [channels[0].id]]
  )
  t.equal((await visitor.post(`${path}/notifications/channels/${channels[0].id}/removal`)).statusCode, 303)
  t.match((await visitor.get(`${path}/notifications`)).body, /notify no one yet/)
})

t.test('developers see notifications and mute them; maintainers change them', async t => {
  const { app, call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: group.id })
  const { body: user } = await call('POST', '/users', { username: 'dev', name: 'Dev', email: 'dev@example.com', password: 'correct horse' })
  const settings = { url: 'https://hooks.slack.com/services/T0/B0/x' }
  const { body: channel } = await call('POST', `/projects/${project.id}/notification_channels`, { kind: 'slack', name: '#ops', settings })
  const url = `/projects/${project.id}/notifications`
  const visitor = new Visitor(app)

  await call('POST', `/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
  await visitor.signIn({ login: 'dev', password: 'correct horse' })
  const { body } = await visitor.get(url)

  t.match(body, '#ops')
  t.notMatch(body, /Connect a channel|Edit and test/)
  t.notMatch(body, 'T0/B0', 'addresses are secret')
  for (const path of ['/channels/new', `/channels/${channel.id}`, '/rules/new'])
    t.equal((await visitor.get(url + path)).statusCode, 403, path)
  t.equal((await visitor.post(`${url}/channels/${channel.id}/test`)).statusCode, 403)
  const muted = await visitor.post(`${url}/mutes/new`, { reason: 'Upgrade', until: 'tomorrow', everything: 'true' })

  t.equal(muted.statusCode, 303)
  for (let n = 0; n < 2; n++) t.equal((await visitor.post(`${muted.headers.location}/end`)).statusCode, 303)
  await call('PUT', `/projects/${project.id}/members/${user.id}`, { access_level: 20 })
  t.equal((await visitor.get(url)).statusCode, 403)
})

t.test('stored secrets stay when their fields are left empty', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const settings = { url: 'https://ntfy.example.com', topic: 'ops', token: 'tk_secret' }
  const { body: channel } = await call('POST', `/projects/${project.id}/notification_channels`, { kind: 'ntfy', name: 'Phones', settings })
  const url = `/projects/${project.id}/notifications/channels/${channel.id}`
  const visitor = new Visitor(app)

  await visitor.signIn()
  t.notMatch((await visitor.get(url)).body, 'tk_secret')
  const sent = await visitor.post(url, { name: 'Phones', hourly_limit: '5', url: '', topic: 'oncall', token: '' })

  t.equal(sent.statusCode, 303)
  const { body: stored } = await call('GET', `/projects/${project.id}/notification_channels/${channel.id}`)

  t.same([stored.active, stored.hourly_limit, stored.settings], [false, 5, { topic: 'oncall', host: 'ntfy.example.com' }])
})

t.test('a rule is a sentence, and what applies to some of its triggers is another one', async t => {
  const any = { severityFloor: null, levels: [], environments: [], releases: [], tags: [] }
  const sentenceOf = (rule: object) =>
    String(ruleSentence({ ...any, ...rule } as unknown as Conditions, [{ name: 'Owners', kind: 'email', isActive: true }])).replaceAll(
      /<[^>]+>/g,
      ''
    )

  t.equal(
    sentenceOf({ triggers: ['error.new', 'alert.triggered'], environments: ['prod*'], severityFloor: 'high', levels: ['fatal'] }),
    'When a new error appears or an alert is triggered in environment prod*, notify Owners by e-mail. Errors only with level fatal. Alerts and incidents only from severity high.'
  )
  t.equal(
    sentenceOf({ triggers: ['alert.triggered'], severityFloor: 'high' }),
    'When an alert is triggered with severity high or higher, notify Owners by e-mail.'
  )
})
