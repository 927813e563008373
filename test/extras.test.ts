import t from 'tap'
import { readConfig } from '../src/config.ts'
import { scheduleOf } from '../src/schedule.ts'
import { extraNames, parseExtras } from '../src/settings/extra-names.ts'
import { rosterOf } from '../workers/roster.ts'
import { allRoutesOf } from './http/routes.ts'
import { startChild } from './support/children.ts'
import { openApp, openWorld } from './support/world.ts'

const names = Object.keys(extraNames)

t.test('EXTRAS names what runs beside the core, with what that needs', async t => {
  t.same(parseExtras('all'), names)
  t.same(parseExtras('none'), [])
  t.same(parseExtras('packages'), ['packages', 'registry'])
  t.same(parseExtras('registry, feature-flags'), ['feature-flags', 'registry'])
  t.same(readConfig({}).extras, names)
  for (const wrong of ['flags', 'packages,', 'toString'])
    t.throws(
      () => readConfig({ EXTRAS: wrong }),
      { message: /^EXTRAS must be all, none, or names separated by commas: feature-flags, packages/ },
      wrong
    )
})

t.test('what is off has no route, page, job or schedule, and readiness says what is on', async t => {
  const { app, call, platform } = await openApp(t, { env: { EXTRAS: 'none' }, isPrivate: true })
  const { body: project } = await call('POST', '/projects', { name: 'Core' })
  const { app: whole, platform: wholePlatform } = await openApp(t)
  const pattern = /feature_flags|\/packages|\/registry|\/jwt\/auth/

  t.ok(allRoutesOf(whole).some(route => pattern.test(route)))
  t.same(
    allRoutesOf(app).filter(route => pattern.test(route)),
    []
  )
  for (const path of ['feature_flags', 'packages', 'registry/repositories'])
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
