import t from 'tap'
import { openApp } from '../support/world.ts'

t.test('both discovery documents describe the provider', async t => {
  const { app } = await openApp(t)
  const openid = await app.inject('/.well-known/openid-configuration')
  const oauth = await app.inject('/.well-known/oauth-authorization-server')
  const document = openid.json()

  t.equal(openid.statusCode, 200)
  t.same(oauth.json(), document)
  t.equal(openid.headers['access-control-allow-origin'], '*')
  t.equal(document.issuer, 'http://tocsin.test')
  t.equal(document.jwks_uri, 'http://tocsin.test/oauth/discovery/keys')
  t.same(document.response_types_supported, ['code'], 'no implicit grant')
  t.same(document.code_challenge_methods_supported, ['S256'], 'no plain PKCE')
  t.same(document.id_token_signing_alg_values_supported, ['RS256'])
  t.equal(document.request_uri_parameter_supported, false, 'the default would be true')
  t.same(
    ['openid', 'profile', 'email', 'api', 'read_api', 'read_user'].filter(scope => !document.scopes_supported.includes(scope)),
    []
  )
})

t.test('the keys are readable from any origin', async t => {
  const { app } = await openApp(t)
  const response = await app.inject('/oauth/discovery/keys')

  t.equal(response.statusCode, 200)
  t.equal(response.headers['access-control-allow-origin'], '*')
  t.equal(response.json().keys.length, 1, 'the first request generates the first key')
})

t.test('webfinger names the issuer for every account', async t => {
  const { app } = await openApp(t)
  const response = await app.inject('/.well-known/webfinger?resource=acct%3Aanne%40tocsin.test')

  t.same(response.json(), {
    subject: 'acct:anne@tocsin.test',
    links: [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href: 'http://tocsin.test' }]
  })
  t.equal(response.headers['content-type'], 'application/jrd+json; charset=utf-8')
  t.equal((await app.inject('/.well-known/webfinger')).statusCode, 400)
})

const documents = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/v4/mcp',
  '/.well-known/webfinger?resource=acct%3Aanne%40tocsin.test',
  '/oauth/discovery/keys'
]

t.test('browsers may read every document with the headers of OAuth and MCP clients', async t => {
  const { app } = await openApp(t)

  for (const url of documents) {
    const { statusCode, headers, body } = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://client.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,x-requested-with'
      }
    })

    t.same([statusCode, body], [204, ''], url)
    t.hasStrict(
      headers,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'Authorization, Content-Type, Accept, MCP-Protocol-Version'
      },
      url
    )
    t.notOk(headers['access-control-allow-credentials'], url)
    t.equal((await app.inject(url)).headers['access-control-allow-origin'], '*', url)
  }
})
