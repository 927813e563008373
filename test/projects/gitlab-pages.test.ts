import { readFile } from 'node:fs/promises'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

async function aShop(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, path: `/projects/${project.id}/pages`, domains: `/projects/${project.id}/pages/domains` }
}

t.test('the settings are kept and shown, and deleting them deletes the domains', async t => {
  const { call, path, domains, project } = await aShop(t)
  const defaults = { url: null, is_unique_domain_enabled: true, force_https: false, primary_domain: null, deployments: [] }

  t.strictSame((await call('GET', path)).body, defaults)
  const changed = { ...defaults, is_unique_domain_enabled: false }

  for (const times of ['once', 'twice']) {
    t.strictSame((await call('PATCH', path, { pages_unique_domain_enabled: false })).body, changed, times)
  }
  await call('POST', domains, { domain: 'www.shop.test' })
  hasExactly(t, await call('PATCH', path, { pages_primary_domain: 'other.test' }), { status: 400 })
  hasExactly(t, await call('PATCH', path, { pages_https_only: true }), {
    status: 400,
    body: { message: { pages_https_only: ['cannot be enabled unless all domains have TLS certificates'] } }
  })
  t.equal((await call('PATCH', path, { pages_primary_domain: 'www.shop.test' })).body.primary_domain, 'www.shop.test')
  for (const times of ['once', 'twice']) t.equal((await call('DELETE', path)).status, 204, times)
  t.strictSame((await call('GET', domains)).body, [])
  t.strictSame((await call('GET', path)).body, changed)
  const names = (await call('GET', `/projects/${project.id}/audit_events`)).body
    .map(({ event_name: name }: { event_name: string }) => name)
    .filter((name: string) => name.startsWith('pages'))

  t.same(names, ['pages_unpublished', 'pages_updated', 'pages_domain_created', 'pages_updated'])
})

t.test('a domain is added, found, changed and deleted', async t => {
  const world = await aShop(t)
  const { app, call, path, domains, project } = world
  const { status, body: domain } = await call('POST', domains, { domain: 'WWW.Shop.test' })
  const one = `${domains}/www.shop.test`

  t.equal(status, 201)
  t.match(domain.verification_code, /^[0-9a-f]{32}$/)
  const shown = {
    domain: 'www.shop.test',
    url: 'http://www.shop.test',
    verified: false,
    verification_code: domain.verification_code,
    enabled_until: null,
    auto_ssl_enabled: false
  }
  t.strictSame(domain, shown)
  t.strictSame((await call('GET', `${domains}/WWW.SHOP.TEST`)).body, shown)
  t.strictSame((await call('PUT', one, { auto_ssl_enabled: true })).body, { ...shown, auto_ssl_enabled: true })
  t.strictSame((await call('GET', '/pages/domains')).body, [{ ...shown, auto_ssl_enabled: true, project_id: project.id }])
  t.equal((await call('GET', '/pages/domains?domain=www.SHOP.test')).body.length, 1)
  hasExactly(t, await call('GET', '/pages/domains?domain=none.test'), { status: 404, body: { message: '404 PagesDomain Not Found' } })
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()

  t.ok('404' in paths['/api/v4/pages/domains'].get.responses, 'the OpenAPI document lists the status')
  const ann = await aPerson(world, 'ann')

  t.equal((await ann.call('GET', '/pages/domains')).status, 403)
  await call('PATCH', path, { pages_primary_domain: 'www.shop.test' })
  t.equal((await call('DELETE', one)).status, 204)
  t.equal((await call('DELETE', one)).status, 404)
  t.equal((await call('GET', path)).body.primary_domain, null)
})

t.test('domain names are valid, and unique in the installation', async t => {
  const { call, domains } = await aShop(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })

  await call('POST', domains, { domain: 'a.test' })
  hasExactly(t, await call('POST', `/projects/${other.id}/pages/domains`, { domain: 'A.test' }), {
    status: 400,
    body: { message: { domain: ['has already been taken'] } }
  })
  for (const domain of [
    'localhost',
    '-a.test',
    'a-.test',
    'a..test',
    'a test',
    'a.test/x',
    'a.test:80',
    `${'a'.repeat(64)}.test`,
    '*.a.test'
  ]) {
    hasExactly(
      t,
      await call('POST', domains, { domain }),
      { status: 400, body: { message: { domain: ['is not a valid domain name'] } } },
      domain
    )
  }
  for (const domain of ['tocsin.test', 'x.tocsin.test']) {
    hasExactly(t, await call('POST', domains, { domain }), { status: 400, body: { message: { domain: ['*.tocsin.test is restricted'] } } })
  }
})

t.test('a certificate is checked against its key, which is not stored', async t => {
  const { call, app, domains, path, platform } = await aShop(t)
  const shop = { certificate: await read('shop'), key: await read('shop-key') }
  const foreign = { certificate: await read('other'), key: await read('other-key') }
  const refused = async (body: object, message: object) =>
    hasExactly(t, await call('POST', domains, { domain: 'a.test', ...body }), { status: 400, body: { message } })

  await refused({ certificate: 'x', key: shop.key }, { certificate: ['must be a valid PEM certificate'] })
  await refused({ certificate: shop.certificate, key: 'x' }, { key: ['must be a valid PEM private key'] })
  await refused({ certificate: shop.certificate, key: foreign.key }, { key: ["doesn't match the certificate"] })
  await refused({ certificate: shop.certificate }, { key: ['must be given with a new certificate'] })
  const payload = new FormData()

  payload.append('domain', 'a.test')
  payload.append('certificate', new Blob([shop.certificate]), 'cert.pem')
  payload.append('key', new Blob([shop.key]), 'key.pem')
  const headers = { 'private-token': rootToken }
  const added = (await app.inject({ method: 'POST', url: `/api/v4${domains}`, payload, headers })).json()

  hasExactly(t, added, {
    url: 'https://a.test',
    certificate: { subject: '/O=Shop/CN=shop.test', expired: false, certificate: shop.certificate }
  })
  t.match(added.certificate.certificate_text, /Not After: .* GMT\n {4}Subject: O=Shop, CN=shop.test/)
  hasExactly(t, (await call('GET', '/pages/domains')).body, [{ certificate_expiration: { expired: false } }])
  t.equal((await call('PUT', `${domains}/a.test`, { certificate: await read('shop-renewed') })).status, 200, 'the key is the same')
  t.equal((await call('PUT', `${domains}/a.test`, { certificate: foreign.certificate })).status, 400)
  t.equal((await call('PATCH', path, { pages_https_only: true })).body.force_https, true)
  hasExactly(t, await call('PUT', `${domains}/a.test`, { certificate: '' }), {
    status: 400,
    body: { message: { certificate: ['must be present if HTTPS-only is enabled'] } }
  })
  t.equal((await call('PUT', `${domains}/a.test`, { certificate: '', auto_ssl_enabled: true })).body.url, 'http://a.test')
  const { rows } = await platform.pool.query(`SELECT to_jsonb(d)::text AS row FROM pages_domains d`)

  t.notMatch(rows[0].row, 'PRIVATE KEY')
})

/** The certificates are valid for a hundred years. */
function read(name: string) {
  return readFile(new URL(`fixtures/${name}.pem`, import.meta.url), 'utf8')
}
