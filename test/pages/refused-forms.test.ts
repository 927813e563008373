import t from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

interface Sent {
  /** Of the project, unless it begins with a slash. */
  to: string
  fields: Record<string, string | string[]>
  /** The ids of all fields with a problem, in the order of the page. */
  faults: string[]
  /** What the page contains because it was typed. */
  kept: string[]
  status?: number
}

const long = 'x'.repeat(256)

/** Bad input for the forms whose fields are no plain copy of the REST API's, with as many faults as they can have. */
const sent: Sent[] = [
  {
    to: '/-/profile',
    fields: { name: '', bio: 'Counts.', location: long, website_url: 'javascript:alert(1)', time_zone: 'Europe/Lisbon' },
    faults: ['name', 'location', 'website_url'],
    kept: ['>Counts.</textarea>', `value="${long}"`, 'value="javascript:alert(1)"', '<option value="Europe/Lisbon" selected>']
  },
  { to: '/-/profile/emails', fields: { email: 'nobody' }, faults: ['email'], kept: ['value="nobody"'] },
  {
    to: '/-/profile/password',
    fields: { current: 'wrong 1', password: 'short 2', again: 'other 3' },
    faults: ['current', 'password', 'again'],
    kept: []
  },
  { to: '/-/profile/two_factor', fields: { current: 'wrong 1' }, faults: ['current'], kept: [] },
  {
    to: '/-/profile/notifications',
    fields: { level: 'custom', events: ['new_note', 'new_issue'], notification_email: 'eve@example.com' },
    faults: ['notification_email'],
    kept: ['value="custom" checked', 'value="new_note" checked', 'value="new_issue" checked']
  },
  {
    to: '/users/sign_in',
    fields: { login: 'nobody', password: 'wrong 1' },
    faults: [],
    kept: ['value="nobody"', 'Invalid username'],
    status: 401
  },
  ...['incidents', 'issues'].map(kind => ({
    to: kind,
    fields: {
      title: ' ',
      description: '  Kept',
      due_date: 'soon',
      labels: 'old',
      new_labels: long,
      assignee_ids: '1',
      milestone_id: '0',
      severity: 'low'
    },
    faults: ['title', 'new_labels', 'due_date'],
    kept: ['>  Kept</textarea>', 'value="soon"', `value="${long}"`, 'value="old" checked', 'value="1" checked']
  })),
  { to: 'incidents/1/edit/title', fields: { title: long, version: '' }, faults: ['title'], kept: [`value="${long}"`] },
  { to: 'incidents/1/edit/due_date', fields: { due_date: 'soon', version: '' }, faults: ['due_date'], kept: ['value="soon"'] },
  { to: 'incidents/1/status_updates', fields: { incident_status: 'fine', body: '' }, faults: ['incident_status', 'update-body'], kept: [] },
  { to: 'incidents/1/notes', fields: { body: '' }, faults: ['body'], kept: [] },
  { to: 'incidents/1/alerts', fields: { alert: 'number 7' }, faults: ['alert'], kept: ['value="number 7"'] },
  {
    to: 'errors/searches',
    fields: { name: '', query: 'level:warning', sort: 'event_count', shared: 'true' },
    faults: ['name'],
    kept: ['name="query" value="level:warning"', 'name="sort" value="event_count"', 'name="shared" value="true" checked']
  },
  {
    to: 'alert_integrations/1/mapping',
    fields: { step: 'save', preset: 'unknown', payload_example: '{', title: 'no path', hosts: '["host"]' },
    faults: ['preset', 'payload_example', 'title'],
    kept: ['>{</textarea>', '<option value="no path" selected>', '<option value="[&#34;host&#34;]" selected>']
  },
  { to: 'alert_integrations/1/mapping/json', fields: { mapping_json: '[' }, faults: ['mapping_json'], kept: ['>[</textarea>'] },
  { to: 'alert_integrations/1/connect', fields: { key: 'wrong' }, faults: ['key'], kept: ['value="wrong"'] },
  { to: 'settings/path', fields: { path: 'no/path' }, faults: ['path'], kept: ['value="no/path"'] },
  { to: 'settings/deletion', fields: { full_path: 'root/other' }, faults: ['full_path'], kept: ['value="root/other"'] },
  { to: 'pipelines', fields: { ref: '', variables: 'A=1\r\nB' }, faults: ['ref', 'variables'], kept: ['>A=1\nB</textarea>'] }
]

async function openForms(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { app, call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const home = `/projects/${project.id}`
  const visitor = new Visitor(app)

  await call('POST', `${home}/issues`, { title: 'Slow', issue_type: 'incident' })
  const { body: integration } = await call('POST', `${home}/alert_integrations`, { name: 'Uptime', type: 'http', active: true })
  await visitor.signIn()

  return {
    ...world,
    visitor,
    urlOf: ({ to }: Sent) => (to.startsWith('/') ? to : `${home}/${to.replace('integrations/1', `integrations/${integration.id}`)}`)
  }
}

t.test('a refused form names all that is wrong beside its fields, and keeps what was typed, but no password', async t => {
  const { visitor, urlOf } = await openForms(t)

  for (const one of sent) {
    const { statusCode, body } = await visitor.post(urlOf(one), one.fields)

    t.equal(statusCode, one.status ?? 400, one.to)
    t.same(
      [...body.matchAll(/id="([\w-]+)-error"/g)].map(([, id]) => id),
      one.faults,
      one.to
    )
    for (const text of one.kept) t.ok(body.includes(text), `${one.to} keeps ${text.slice(0, 60)}`)
    for (const password of [...body.matchAll(/<input type="password"[^>]*>/g)].flat()) t.notMatch(password, /value=/, one.to)
  }
})

t.test('every form whose session has ended says that it was not sent', async t => {
  const { app, urlOf } = await openForms(t)
  const stranger = new Visitor(app)

  for (const one of sent.filter(({ to }) => to !== '/users/sign_in')) {
    t.match(await stranger.post(urlOf(one), one.fields), { statusCode: 401, body: /the form was not sent/ }, one.to)
  }
  t.equal((await stranger.signIn({ password: rootPassword })).statusCode, 303)
})
