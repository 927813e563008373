import { gzipSync } from 'node:zlib'
import t from 'tap'
import { attributes, html, trusted } from '#pages/layout/html.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

t.test('values in templates are escaped, unless they are HTML themselves', async t => {
  const evil = `<img src=x onerror="alert('1')">&`

  t.equal(String(html`<p>${evil}</p>`), '<p>&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;</p>')
  t.equal(String(html`!${evil}`), '!&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62;&#38;')
  t.equal(String(html`<ul>${['<', 1].map(one => html`<li>${one}</li>`)}</ul>`), '<ul><li>&#60;</li><li>1</li></ul>')
  t.equal(String(html`${undefined}${null}${false}${true}${0}${''}${trusted('<br>')}`), '0<br>')
  t.equal(
    String(html`<a${attributes({ href: '"', hidden: true, id: undefined, open: false, tabindex: 0 })}>`),
    '<a href="&#34;" hidden tabindex="0">'
  )
})

t.test('every response forbids guessing its type and, with https, going back to http', async t => {
  const nosniff = { 'x-content-type-options': 'nosniff' }
  const { app, call } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })

  for (const url of [
    '/api/v4/projects',
    '/api/v4/nowhere',
    '/nowhere',
    '/metrics',
    '/oauth/token/info',
    '/.well-known/openid-configuration',
    '/a/b/info/refs'
  ]) {
    t.hasStrict((await app.inject(url)).headers, { ...nosniff, 'strict-transport-security': 'max-age=31536000' }, url)
  }
  const { headers } = await app.inject({ method: 'POST', url: '/errortracking/api/v1/projects/api/1/envelope/', payload: '{}' })
  t.hasStrict(headers, nosniff, 'intake')
  t.equal((await call('GET', '/user')).status, 200)
  const { app: plain } = await openApp(t)

  t.equal((await plain.inject('/users/sign_in')).headers['strict-transport-security'], undefined, 'not with http')
  t.hasStrict((await plain.inject('/api/v4/projects')).headers, nosniff)
})

t.test('every page has security headers, and the stylesheet is cached for a year', async t => {
  const { app } = await openApp(t, { env: { BASE_URL: 'https://tocsin.test' } })
  const visitor = new Visitor(app)

  t.match((await visitor.signIn()).headers['set-cookie'], /Secure/)
  for (const url of ['/users/sign_in', '/-/profile', '/admin/processes', '/admin/queues', '/nowhere']) {
    const { headers } = await visitor.get(url)
    t.hasStrict(headers, {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin'
    })
    t.match(headers, {
      'content-security-policy': /default-src '(none|self)'.*frame-ancestors 'none'/,
      'permissions-policy': /camera=\(\)/,
      'strict-transport-security': /max-age/
    })
  }
  const [, stylesheet] = /rel="stylesheet" href="([^"]+)"/.exec((await visitor.get('/-/profile')).body)!
  t.match(await visitor.get(stylesheet!), {
    statusCode: 200,
    headers: { 'cache-control': /immutable/, 'content-type': /text\/css/ },
    body: /--accent/
  })
})

t.test('the scripts of pages are modules of ours, 20 KB at most once compressed', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)
  const { body, headers } = await visitor.get('/users/sign_in')
  const main = /<script type="module" src="([^"]+\/)main.js">/.exec(body)!
  const loaded = ['main.js']

  t.match(headers['content-security-policy'], /script-src 'self'; connect-src 'self';/)
  t.equal(body.match(/<script/g)?.length, 1, 'and none is inline')
  let bytes = 0
  for (const name of loaded) {
    const script = await visitor.get(main[1] + name)
    t.match(script, { statusCode: 200, headers: { 'content-type': /^text\/javascript/, 'cache-control': /immutable/ } }, name)
    bytes += gzipSync(script.body).length
    const imports = [...script.body.matchAll(/from '\.\/([^']+)'|import '\.\/([^']+)'/g)].map(([, a, b]) => a ?? b!)
    loaded.push(...imports.filter(name => !loaded.includes(name)))
  }
  t.ok(loaded.length > 3)
  t.ok(bytes < 20_000, `${bytes} bytes`)
})

t.test('errors are pages for browsers and JSON for API clients', async t => {
  const { app, platform } = await openApp(t, { isPrivate: true })
  const visitor = new Visitor(app)

  t.match(await visitor.get('/nowhere'), { statusCode: 404, body: /<h1>Not found/ })
  t.match(await visitor.get('/api/v4/nowhere'), { statusCode: 404, headers: { 'content-type': /json/ } })
  t.match(await visitor.get('/-/profile?tab=1'), { statusCode: 401, body: /name="return_to" value="\/-\/profile\?tab=1"/ })
  t.hasStrict(await visitor.get('/'), { statusCode: 302, headers: { location: '/users/sign_in' } })

  await visitor.signIn()
  t.match(await visitor.get('/'), { statusCode: 200, body: /href="\/admin"[\s\S]+<h1>Home</ })
  t.match(
    await visitor.get('/nowhere'),
    { statusCode: 404, body: /<a href="\/projects">Projects<[\s\S]+<h1>Not found/ },
    'with the navigation'
  )
  t.match((await visitor.get('/help/api')).body, /<a href="\/projects">Projects</)
  t.match((await visitor.get('/admin/queues')).body, /<h1>Queues[\s\S]+<iframe [^>]*src="\/admin\/queues\/board"/)
  await platform.pool.query('UPDATE users SET is_admin = false')
  t.notMatch((await visitor.get('/')).body, /admin\/queues/)
  t.match(await visitor.get('/admin/processes'), {
    statusCode: 403,
    body: /<h1>Access denied[\s\S]+Only administrators can open this page\./
  })
  t.match(await visitor.get('/admin/queues'), { statusCode: 403, body: /<h1>Access denied/ })
  t.match(await visitor.post('/-/profile/tokens/99/revocation'), { statusCode: 404, body: /<h1>Not found[\s\S]+href="\/"/ })

  await platform.pool.query('ALTER TABLE users DROP COLUMN bio')
  const broken = await visitor.get('/-/profile')
  t.match(broken, { statusCode: 500, body: /<h1>Internal error/ })
  t.notMatch(broken.body, /column|bio/)
})

t.test('a page for another role says which role it needs, and who can give it', async t => {
  const world = await openApp(t)
  const { call } = world
  const reporter = await aMember(world, 'rita')
  const stranger = await aMember(world, 'stan')
  const { body: group } = await call('POST', '/groups', { name: 'Acme', path: 'acme', visibility: 'public' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id, visibility: 'public' })
  const textOf = async (visitor: Visitor, url: string) =>
    /<h1>Access denied<\/h1>\s*<p>(.+?)<\/p>/.exec((await visitor.get(url)).body)?.[1]?.replaceAll(/<[^>]+>/g, '')

  await call('POST', `/projects/${project.id}/members`, { user_id: reporter.id, access_level: 20 })
  t.equal(
    await textOf(reporter, `/projects/${project.id}/errors`),
    'This page needs the role Developer. You are a Reporter of acme/shop. @root can give you another role.'
  )
  t.match(
    (await reporter.get(`/projects/${project.id}/errors`)).body,
    new RegExp(`<a href="/root">@root</a>[\\s\\S]+href="/projects/${project.id}">Back to acme/shop<`)
  )
  t.notMatch((await stranger.get(`/projects/${project.id}/settings`)).body, 'Back to')
  t.equal(
    await textOf(stranger, `/projects/${project.id}/settings`),
    'This page needs the role Maintainer. You are not a member of acme/shop. @root can give you another role.'
  )
  t.match(await textOf(stranger, `/groups/${group.id}/-/settings`), /^This page needs the role \w+\. You are not a member of acme\. @root/)
  await call('PUT', `/projects/${project.id}`, { visibility: 'private' })
  t.match(
    await stranger.get(`/projects/${project.id}/settings`),
    { statusCode: 404, body: /<h1>Not found/ },
    'a private project is not found'
  )
})

t.test('NUL characters in an address find nothing', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)

  await visitor.signIn()
  for (const url of ['/projects/%00', '/projects/a%00b/errors', '/projects/1/releases/%00']) {
    t.equal((await visitor.get(url)).statusCode, 404, url)
  }
  t.equal((await visitor.get('/-/profile/notifications?search=%00')).statusCode, 200)
})

t.test('a flash message cannot be forged', async t => {
  const { app } = await openApp(t)
  const visitor = new Visitor(app)

  await visitor.signIn()
  visitor.cookies._flash = `x.${Buffer.from('Call 0900 now').toString('base64url')}`
  t.notMatch((await visitor.get('/-/profile')).body, /0900/)
})
