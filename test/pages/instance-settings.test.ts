import t from 'tap'
import { CurrentAnnouncement } from '#pages/layout/announcement.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/settings'
const form = {
  sign_up: 'domains',
  domain_allowlist: 'Example.com\r\nshop.example',
  default_projects_limit: '7',
  default_project_visibility: 'internal',
  default_group_visibility: 'private',
  default_branch_name: 'trunk',
  deletion_adjourned_period: '14',
  announcement: '',
  announcement_ends_at: ''
}

t.test('an admin changes the settings of the installation, as with the API', async t => {
  const { app, call } = await openApp(t)
  const root = new Visitor(app)

  await root.signIn()
  t.match((await root.get(path)).body, /only the invited can sign up[\s\S]+Who can create an account/)
  t.equal((await root.post(path, form)).headers.location, path)
  t.match(
    (await root.get(path)).body,
    /Settings saved[\s\S]+value="domains" selected[\s\S]+>example\.com\nshop\.example<[\s\S]+value="trunk"/
  )
  t.same((await call('GET', '/application/settings')).body, {
    ...form,
    default_projects_limit: 7,
    deletion_adjourned_period: 14,
    domain_allowlist: ['example.com', 'shop.example'],
    can_create_group: false,
    announcement_ends_at: null
  })
  await root.post(path, form)
  const { body: events } = await call('GET', '/audit_events')
  t.equal(events.filter(({ event_name: name }: { event_name: string }) => name === 'instance_settings_updated').length, 1, 'once')
})

t.test('what the API refuses is said at its field', async t => {
  const { app, call } = await openApp(t)
  const root = new Visitor(app)
  const before = (await call('GET', '/application/settings')).body
  const refusal = async (fields: Record<string, string>) => {
    const { statusCode, body } = await root.post(path, { ...form, ...fields })

    t.equal(statusCode, 400)

    return [...body.matchAll(/<p class="error" id="(\w+)-error">([^<]+)</g)].map(([, name, text]) => `${name}: ${text}`)
  }

  await root.signIn()
  await root.get(path)
  t.same(await refusal({ domain_allowlist: '' }), ['domain_allowlist: Must name a domain.'])
  t.same(await refusal({ domain_allowlist: 'ann@example.com' }), ['domain_allowlist: Ann@example.com is not a domain.'])
  t.same(await refusal({ default_branch_name: 'a..b' }), ['default_branch_name: Is not the name of a branch.'])
  t.same(await refusal({ deletion_adjourned_period: '91' }), ['deletion_adjourned_period: Enter a whole number from 0 to 90.'])
  t.same((await call('GET', '/application/settings')).body, before)
})

t.test('only admins see and change them', async t => {
  const world = await openApp(t)
  const ann = await aMember(world, 'ann')

  t.equal((await ann.get(path)).statusCode, 403)
  t.equal((await ann.post(path, form)).statusCode, 403)
  t.equal((await new Visitor(world.app).get(path)).statusCode, 401)
  t.equal((await new Visitor(world.app).post(path, form)).statusCode, 401)
})

t.test('an announcement is on every page, also before signing in, until it ends', async t => {
  const { app, call, platform } = await openApp(t, { isPrivate: true })
  const visitor = new Visitor(app)
  const announce = async (announcement: string, endsAt: string | null = null) => {
    const { status } = await call('PUT', '/application/settings', { announcement, announcement_ends_at: endsAt })

    platform.caches.instance(CurrentAnnouncement).readAt = 0

    return status
  }

  t.notMatch((await visitor.get('/users/sign_in')).body, 'class="announcement"')
  await announce('Maintenance <today>')
  t.match((await visitor.get('/users/sign_in')).body, /class="announcement"[\s\S]+Maintenance &#60;today&#62;/)
  await visitor.signIn()
  t.match((await visitor.get('/projects')).body, 'Maintenance &#60;today&#62;')
  await announce('Later', '2999-01-01T00:00:00Z')
  t.match((await visitor.get('/projects')).body, 'Later')
  await announce('Past', '2020-01-01T00:00:00Z')
  t.notMatch((await visitor.get('/projects')).body, 'Past')
  t.equal(await announce('Wrong', 'soon'), 400)
  t.equal(await announce('x'.repeat(501)), 400)
})
