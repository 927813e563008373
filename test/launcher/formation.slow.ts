import t from 'tap'
import { eventually } from '../support/world.ts'
import { Launch, openPlace, pidsOf, processesOn, readWelcome, shell } from './launcher.ts'

t.test('npm start runs the given number of processes of each type', async t => {
  const place = await openPlace(t)
  const launch = new Launch({ ...place, port: 0 }, { npm: true, args: ['web=2', 'worker=2'] })

  await launch.ready()
  t.same([pidsOf(place.dir, 'web').length, pidsOf(place.dir, 'worker').length], [2, 2])
  for (const name of ['worker.1', 'worker.2']) t.match(launch.output, new RegExp(`^${name} +\\| .*processing errors, alerts`, 'm'))

  t.test('the first web process prints the password of the admin that it created', async t => {
    const { password, token, address, list } = readWelcome(launch.output)

    t.match({ password, token }, { password: /^[a-z0-9-]{12,}$/, token: /^glpat-/ })
    t.equal(launch.lines.at(-1), `ready ${address}`)
    t.same(JSON.parse(await shell(list)), [])
  })

  t.test('all processes stop when npm is stopped', async t => {
    await launch.ended('SIGTERM')
    t.ok(await eventually(() => processesOn(place.dir).length === 0, 'everything has ended', 40_000))
    t.match(launch.output, /closing: SIGTERM/)
  })
})
