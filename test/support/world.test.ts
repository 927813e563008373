import t from 'tap'
import type { Platform } from '#boot.ts'
import { openApp } from './world.ts'

type Call = Awaited<ReturnType<typeof openApp>>['call']

const paths = ['/application/settings', '/user', '/users', '/projects', '/projects/1/client_keys', '/feature_flags', '/audit_events']

async function look(call: Call) {
  const answers = await Promise.all(paths.map(path => call('GET', path)))

  return answers.map(({ status, body }) => ({ status, body }))
}

t.test('what one test changes in rows that all share, its neighbours do not notice', async t => {
  const neighbour = await openApp(t)
  const before = await look(neighbour.call)
  let changed: Platform | undefined

  await t.test('one changes the settings, the first admin and the demo project', async t => {
    const { call, platform } = await openApp(t)

    changed = platform
    t.not(platform, neighbour.platform)
    for (const [method, path, body] of [
      ['PUT', '/application/settings', { default_projects_limit: 3, can_create_group: false }],
      ['PUT', '/users/1', { name: 'Somebody Else', projects_limit: 1 }],
      ['PUT', '/projects/1', { name: 'Renamed', visibility: 'public' }],
      ['DELETE', '/projects/1', undefined]
    ] as const) {
      t.match((await call(method, path, body)).status, /^20\d$/, path)
    }
    t.notSame(await look(call), before)
  })

  t.same(await look(neighbour.call), before, 'one that runs beside it')
  await t.test('the next in the same world', async t => {
    const { call, platform } = await openApp(t)

    t.equal(platform, changed)
    t.same(await look(call), before)
  })
})
