import t from 'tap'
import { aPerson } from '../identity/people.ts'
import { openApp } from '../support/world.ts'
import { basic, openProvider } from './provider.ts'

const values = { name: 'Board', redirect_uri: 'https://board.example/cb', scopes: 'api read_user' }

t.test('an admin registers, lists and deletes applications of the instance', async t => {
  const { call, platform } = await openApp(t)
  const { status, body } = await call('POST', '/applications', values)
  const { secret, id, application_id: uid, ...application } = body

  t.equal(status, 201)
  t.match(secret, /^gloas-[0-9a-f]{64}$/)
  t.match(uid, /^[0-9a-f]{64}$/)
  t.same(application, {
    application_name: 'Board',
    callback_url: 'https://board.example/cb',
    confidential: true,
    scopes: ['api', 'read_user']
  })
  t.same((await call('GET', '/applications')).body, [{ id, application_id: uid, ...application }], 'without the secret')

  await platform.pool.query(
    `INSERT INTO oauth_applications (uid, name, redirect_uris, scopes, is_confidential, owner_id) VALUES ('u', 'Own', '{}', '{api}', true, 1)`
  )
  t.equal((await call('GET', '/applications')).body.length, 1, 'users have their own')
  t.equal((await call('DELETE', `/applications/${id}`)).status, 204)
  t.equal((await call('DELETE', `/applications/${id}`)).status, 404)
  t.same((await call('GET', '/applications')).body, [])
  const { body: events } = await call('GET', '/audit_events')

  t.same(
    events.slice(0, 2).map((event: { event_name: string }) => event.event_name),
    ['oauth_application_deleted', 'oauth_application_created']
  )
  t.notMatch(JSON.stringify(events), /gloas-/)
})

t.test('scopes are separated by spaces or commas, redirect URIs by lines', async t => {
  const { call } = await openApp(t)
  const register = async (more: object) => (await call('POST', '/applications', { ...values, ...more })).body

  for (const scopes of ['api read_user', 'api,read_user', ['api', 'read_user'], ' api  read_user api']) {
    t.same((await register({ scopes })).scopes, ['api', 'read_user'], JSON.stringify(scopes))
  }
  const uris = ['https://board.example/cb', 'http://127.0.0.1/cb', 'com.example.board:/cb']

  t.equal((await register({ redirect_uri: uris.join('\r\n') })).callback_url, uris.join('\n'))
})

t.test('values that are not valid are refused with reasons', async t => {
  const { call } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })
  const refused: [more: object, reasons: object][] = [
    [{ scopes: '' }, { scopes: ["can't be blank"] }],
    [{ scopes: 'api everything' }, { scopes: ["doesn't match configured on the server."] }],
    [{ redirect_uri: '/cb' }, { redirect_uri: ['must be an absolute URI.'] }],
    [{ redirect_uri: 'https://board.example/cb#part' }, { redirect_uri: ['cannot contain a fragment.'] }],
    [{ redirect_uri: 'https://user@board.example/cb' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'http://board.example/cb' }, { redirect_uri: ['must be an HTTPS/SSL URI.'] }],
    [{ redirect_uri: 'http://127.0.0.1.board.example/cb' }, { redirect_uri: ['must be an HTTPS/SSL URI.'] }],
    [{ redirect_uri: 'javascript:alert(1)' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'JavaScript://board.example/%0aalert(1)' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'data:text/html,hi' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'board:/cb' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }, { redirect_uri: ['is forbidden by the server.'] }],
    [{ redirect_uri: `https://board.example/${'a'.repeat(2000)}` }, { redirect_uri: ['is too long (maximum is 2000 characters).'] }],
    [
      { redirect_uri: Array.from({ length: 21 }, (_, n) => `https://board.example/${n}`).join('\n') },
      { redirect_uri: ['is one of too many (maximum is 20).'] }
    ],
    ...['b\u00fccher.example/cb', 'board.example/\u00fc', 'board.example/\u007f', 'board.example/\u202ecb'].map(
      (place): [object, object] => [
        { redirect_uri: `https://${place}` },
        { redirect_uri: ['must be printable ASCII: write the host in Punycode (xn--), and percent-encode other characters.'] }
      ]
    ),
    [{ redirect_uri: 'https:board.example/cb' }, { redirect_uri: ['must have a host after https:// or http://.'] }],
    [{ redirect_uri: 'board.example:8080/cb' }, { redirect_uri: ['must start with its scheme, for example https://.'] }],
    [{ redirect_uri: 'http://127.0.0.1:99999/cb' }, { redirect_uri: ['must have a port from 1 to 65535.'] }],
    [{ redirect_uri: 'https://board.example:0?cb' }, { redirect_uri: ['must have a port from 1 to 65535.'] }]
  ]

  for (const [more, reasons] of refused) {
    const { status, body } = await call('POST', '/applications', { ...values, ...more })

    t.same([status, body], [400, { message: reasons }], JSON.stringify(more).slice(0, 80))
  }
  const { body } = await call('POST', '/applications', { ...values, redirect_uri: 'http://localhost:8080/cb' })

  t.equal(body.callback_url, 'http://localhost:8080/cb')
})

t.test('an installation without https is for development, where redirects need none either', async t => {
  const { call } = await openApp(t)

  t.equal((await call('POST', '/applications', { ...values, redirect_uri: 'http://board.example/cb' })).status, 201)
})

t.test('a new secret replaces the old one at once', async t => {
  const { call, register, post, authorize, statusWith } = await openProvider(t)
  const client = await register()
  const { access_token: token } = await authorize(client)
  const { status, body } = await call('POST', `/applications/${client.id}/renew-secret`)
  const ask = async (secret: string) =>
    (await post('token', { grant_type: 'client_credentials' }, basic({ ...client, client_secret: secret }))).status

  t.equal(status, 201)
  t.same([await ask(client.client_secret), await ask(body.secret)], [401, 200])
  t.equal(await statusWith(token), 200, 'tokens stay valid')
})

t.test('a public application has no secret to renew', async t => {
  const { call, register } = await openProvider(t)
  const open = await register({ confidential: 'false' })

  t.equal(open.client_secret, null)
  t.equal((await call('POST', `/applications/${open.id}/renew-secret`)).status, 400)
})

t.test('only admins manage applications of the instance', async t => {
  const { call } = await openApp(t)
  const { token } = await aPerson(call, 'ann')

  t.equal((await call('POST', '/applications', values, token)).status, 403)
  t.equal((await call('GET', '/applications', undefined, token)).status, 403)
})
