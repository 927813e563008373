import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { deprecationHeaders, isOffsetRemoved } from '#api/deprecations/deprecations.ts'
import { notApplicable } from '#api/deprecations/not-applicable.ts'
import { paging } from '#api/pagination/offset.ts'
import { renderProblems } from '#api/problems/render-problems.ts'
import { type DeprecationName, deprecations } from '#lib/deprecations/schedule.ts'
import { isDeprecated, isRemoved, stageOf } from '#lib/deprecations/stages.ts'
import { configFor, openApp } from '../support/world.ts'

/** Routes made for the test, in an application that behaves as a version. */
async function appAt(t: Test, serviceVersion: string) {
  const app = Fastify()
  const config = configFor('postgres', 'unused', { SERVICE_VERSION: serviceVersion })

  app.decorate('platform', { config } as never)
  renderProblems(app)
  await app.register(cookie)
  await app.register(deprecationHeaders)
  const querystring = Type.Object({ ...paging, pagination: Type.Optional(Type.String()) })

  app.get('/users', { config: { deprecation: 'users-offset' }, schema: { querystring } }, async (request, reply) => {
    reply.header('link', '<http://tocsin.test/next>; rel="next"')
    return { byKeyset: isOffsetRemoved(request, 'users-offset') }
  })
  app.post('/reset', { config: { deprecation: 'reset-registration-token' } }, async () => ({ token: 'new' }))
  app.get('/status', { config: { deprecation: 'runner-status' } }, async () => [])
  t.teardown(() => app.close())

  return app
}

t.test('users have offset pagination before 17.0, and keyset pagination only from 17.0 on', async t => {
  for (const [version, byNumber] of [
    ['16.11', 200],
    ['17.0', 405],
    ['18.0', 405]
  ] as const) {
    const app = await appAt(t, version)

    t.equal((await app.inject('/users?page=2')).statusCode, byNumber, `${version} by number`)
    t.hasStrict(await app.inject('/users?page=1'), { statusCode: 200 }, `${version} has a first page`)
    t.equal((await app.inject('/users?pagination=offset')).statusCode, byNumber, `${version} by offset`)
    t.hasStrict((await app.inject('/users?pagination=keyset')).json(), { byKeyset: version !== '16.11' })
    t.hasStrict((await app.inject('/users?per_page=5')).json(), { byKeyset: version !== '16.11' }, `${version} without a word of pages`)
  }
  const { error } = (await (await appAt(t, '17.0')).inject('/users?page=2')).json()
  t.match(error, /Offset pagination is not available .* since 17\.0\. Use keyset pagination/)
})

t.test('a deprecated operation works, has a sunset date, and is then removed', async t => {
  const before = await (await appAt(t, '15.6')).inject({ method: 'POST', url: '/reset' })
  t.hasStrict(before, { statusCode: 200, headers: { deprecation: undefined, sunset: undefined } })

  const deprecated = await (await appAt(t, '17.11')).inject({ method: 'POST', url: '/reset' })
  t.hasStrict(deprecated, {
    statusCode: 200,
    headers: {
      deprecation: `@${Date.UTC(2022, 11, 22) / 1000}`,
      sunset: 'Thu, 15 May 2025 00:00:00 GMT',
      link: '<http://tocsin.test/help/deprecations#reset-registration-token>; rel="deprecation"; type="text/html"'
    }
  })

  const removed = await (await appAt(t, '18.0')).inject({ method: 'POST', url: '/reset' })
  t.match(removed, { statusCode: 410, headers: { link: /rel="deprecation"/ } })
  t.same(removed.json(), { message: '410 Gone' })
})

t.test('other links are kept, and an operation that ends with version 5 has no sunset date', async t => {
  const app = await appAt(t, '18.0')

  t.equal((await app.inject('/users')).headers.link, '<http://tocsin.test/next>; rel="next"')
  t.match(await app.inject('/status'), { statusCode: 200, headers: { sunset: undefined, deprecation: undefined, link: /#runner-status/ } })
})

t.test('versions are compared as numbers', async t => {
  t.equal(stageOf({ serviceVersion: '16.9' }, 'registry-tags-offset'), 'current')
  t.ok(isDeprecated({ serviceVersion: '16.10' }, 'registry-tags-offset'))
  t.ok(isRemoved({ serviceVersion: '18.0' }, 'registry-tags-offset'))
  t.notOk(isRemoved({ serviceVersion: '9.5' }, 'users-offset'))
  for (const name of Object.keys(deprecations) as DeprecationName[]) {
    t.equal(isRemoved({ serviceVersion: '99.0' }, name), deprecations[name].removedIn !== 'v5', name)
  }
})

t.test('a page shows the deprecation schedule of this version', async t => {
  const { app } = await openApp(t, { env: { SERVICE_VERSION: '17.11' } })
  const { statusCode, body } = await app.inject('/help/deprecations')

  t.equal(statusCode, 200)
  for (const name of Object.keys(deprecations)) t.ok(body.includes(`id="${name}"`), name)
  t.match(body, /17\.11/)
  t.match(body, /id="users-offset"[\s\S]*?Removed[\s\S]*?id="/)
  t.match(body, /id="reset-registration-token"[\s\S]*?Deprecated/)
  t.match(body, /<code>GET \/users<\/code>/)
})

t.test('the page lists the entries about GraphQL and merge requests as not applicable', async t => {
  const { app } = await openApp(t)
  const { body } = await app.inject('/help/deprecations')
  const rows = [...body.matchAll(/<tr id="([\w-]+)">(?:(?!<\/tr>)[\s\S])*Not applicable: /g)].map(([, name]) => name)

  t.same(rows, Object.keys(notApplicable))
  t.ok(rows.includes('graphql-runner-fields'))
})
