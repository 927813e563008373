import t from 'tap'
import { readConfig } from '#config.ts'
import { scheduleOf } from '#schedule.ts'
import { extraNames, parseExtras } from '#settings/extras.ts'
import { rosterOf } from '../workers/roster.ts'
import { allRoutesOf } from './api/routes.ts'
import { startChild } from './support/children.ts'
import { openApp, openWorld } from './support/world.ts'

const names = Object.keys(extraNames)

t.test('EXTRAS names what runs beside the core, with what that needs', async t => {
  t.same(parseExtras('all'), names)
  t.same(parseExtras('none'), [])
  t.same(parseExtras('packages'), ['ci', 'packages', 'registry', 'source-code', 'webhooks'])
  t.same(parseExtras('registry, feature-flags'), ['feature-flags', 'registry'])
  for (const [name, needs] of Object.entries<readonly string[]>(extraNames))
    t.same(
      parseExtras(needs.join() || 'none')!.filter(one => !needs.includes(one)),
      [],
      `${name} names what its needs need`
    )
  t.same(readConfig({}).extras, names)
  for (const wrong of ['flags', 'packages,', 'toString'])
    t.throws(
      () => readConfig({ EXTRAS: wrong }),
      { message: /^EXTRAS must be all, none, or names separated by commas: ci, environments, feature-flags, packages/ },
      wrong
    )
})

t.test('what is off has no route, page, job or schedule, and readiness says what is on', async t => {
  const { app, call, platform } = await openApp(t, { env: { EXTRAS: 'none' }, isPrivate: true })
  const { body: project } = await call('POST', '/projects', { name: 'Core' })
  const { app: whole, platform: wholePlatform } = await openApp(t)
  const ofExtras = {
    ci: /pipelines|runners|\/jobs|\/variables|\/ci\/lint|job_token_scope/,
    environments: /\/environments\b/,
    'feature-flags': /feature_flags/,
    packages: /\/packages/,
    planning: /\/(labels|milestones|links|discussions|time_stats|move)\b/,
    registry: /\/registry|\/jwt\/auth/,
    snippets: /\/snippets(?!\/:id\/repository_storage)/,
    'source-code': /\/repository\/|:id\/code/,
    webhooks: /\/hooks/
  }

  t.same(Object.keys(ofExtras), names)
  for (const [name, pattern] of Object.entries(ofExtras)) {
    t.ok(
      allRoutesOf(whole).some(route => pattern.test(route)),
      name
    )
    t.same(
      allRoutesOf(app).filter(route => pattern.test(route)),
      [],
      name
    )
  }
  for (const path of ['feature_flags', 'packages', 'registry/repositories', 'pipelines', 'repository/tree', 'labels', 'hooks', 'snippets'])
    t.same(await call('GET', `/projects/${project.id}/${path}`).then(({ status, body }) => [status, body]), [
      404,
      { error: '404 Not Found' }
    ])
  t.same((await app.inject('/-/readiness')).json().extras, [])
  t.same((await whole.inject('/-/readiness')).json().extras, names)
  t.ok(rosterOf(wholePlatform.extras).maintenance!.length > rosterOf(platform.extras).maintenance!.length)
  t.ok(scheduleOf(wholePlatform.extras).length > scheduleOf(platform.extras).length)
})

t.test('the web process of the core loads no file of an extra', async t => {
  const world = await openWorld(t)
  const loadedWith = (EXTRAS: string) =>
    new Promise<string[]>((resolve, reject) => {
      const child = startChild(t, world, ['test/support/list-modules.ts'], { EXTRAS, PORT: '0' })

      child.on('message', ({ loaded }: { loaded?: string[] }) => loaded && resolve(loaded.filter(path => path.startsWith('src/extras/'))))
      child.once('exit', code => reject(new Error(`it ended with ${code}`)))
    })

  t.ok((await loadedWith('all')).includes('src/extras/packages/extra.ts'))
  t.same(await loadedWith('none'), [])
})
