import t from 'tap'
import { Visitor } from '../pages/visitor.ts'
import { openApp } from '../support/world.ts'
import { allRoutesOf } from './routes.ts'

/** What a browser, or a route that decodes, may read as another host. */
const hostile = ['//evil.test/x', '/\\evil.test/x', '/.//evil.test/x', '/%2e//evil.test/x', '/\t/evil.test', 'https://evil.test/x']
const parameters = ['return_to', 'redirect_uri', 'next', 'url', 'page', 'location']

/** Whether a browser stays on this host. */
function isOurs(location: string) {
  const url = URL.parse(location, 'http://localhost/')

  return url?.host === 'localhost' && !url.pathname.startsWith('//')
}

t.test('no route redirects to another host, whatever its parameters, its query and the page before', async t => {
  const { app } = await openApp(t)
  const root = new Visitor(app)

  await root.signIn()
  const paths = allRoutesOf(app).flatMap(route => (/^GET (?!\/api)/.test(route) ? [route.slice('GET '.length)] : []))
  let redirects = 0

  for (const [n, path] of paths.entries()) {
    const text = hostile[n % hostile.length]!
    const query = new URLSearchParams({ ...Object.fromEntries(parameters.map(name => [name, text])), service: 'git-upload-pack' })
    const filled = path.replace(/:\w+|\*/g, encodeURIComponent(text))
    const existing = path.replace(/:\w+|\*/g, '1')

    for (const url of [existing, filled, `//evil.test${filled}`, `/\\evil.test${existing}`]) {
      for (const cookies of url === existing ? [{}, root.cookies] : [{}]) {
        const { statusCode, headers } = await app.inject({
          url: `${url}?${query}`,
          cookies,
          headers: { accept: 'text/html', referer: text }
        })

        if (statusCode < 300 || statusCode > 399) continue
        redirects++
        t.ok(isOurs(String(headers.location)), `${url} → ${headers.location}`)
      }
    }
  }
  t.ok(paths.length > 150, `${paths.length} routes`)
  t.ok(redirects > 10, `${redirects} redirects`)
})

t.test('git is not sent to another host', async t => {
  const { app } = await openApp(t)
  const service = 'service=git-upload-pack'

  for (const repository of [
    '//evil.test/x',
    '/-/git/%2Fevil.test%2Fx',
    '/-/git/%5Cevil.test%2Fx',
    '/-/git/.%2F%2Fevil.test',
    '/%2Fevil.test/x',
    '///evil.test'
  ]) {
    const { statusCode, headers } = await app.inject(`${repository}/info/refs?${service}`)

    t.ok(statusCode === 404 || isOurs(String(headers.location)), `${repository} → ${statusCode} ${headers.location}`)
  }
  const { statusCode, headers } = await app.inject(`/group/shop/info/refs?${service}`)
  t.hasStrict({ statusCode, location: headers.location }, { statusCode: 301, location: `/group/shop.git/info/refs?${service}` })
})

t.test('signing in and out leads to no other host', async t => {
  const { app } = await openApp(t)

  for (const return_to of hostile) {
    const visitor = new Visitor(app)

    for (const url of ['/users/sign_in', '/users/sign_in/code', '/users/password', '/users/sign_out']) {
      const { statusCode, headers } =
        url === '/users/sign_in' ? await visitor.signIn({ return_to }) : await visitor.post(url, { return_to })
      const location = decodeURIComponent(String(headers.location ?? ''))

      t.notMatch(location, /evil/, `${url} with ${return_to}: ${statusCode}`)
    }
  }
})
