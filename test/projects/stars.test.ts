import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a user stars a project once', async t => {
  const world = await openApp(t)
  const { call } = world
  const ann = await aPerson(world, 'ann')
  const { body: project } = await call('POST', '/projects', { name: 'Open', visibility: 'public' })
  const path = `/projects/${project.id}`

  t.hasStrict(await ann.call('POST', `${path}/star`), { status: 201, body: { star_count: 1 } })
  t.equal((await ann.call('POST', `${path}/star`)).status, 304, 'twice is once')
  t.hasStrict(await call('POST', `${path}/star`), { status: 201, body: { star_count: 2 } })
  hasExactly(t, (await call('GET', `${path}/starrers`)).body, [{ user: { username: 'root' } }, { user: { username: 'ann' } }])
  hasExactly(t, (await ann.call('GET', '/projects?starred=true')).body, [{ id: project.id, star_count: 2 }])
  t.same((await call('GET', '/projects?starred=true', undefined, null)).body, [])
  t.hasStrict(await ann.call('POST', `${path}/unstar`), { status: 201, body: { star_count: 1 } })
  t.equal((await ann.call('POST', `${path}/unstar`)).status, 304)
})

t.test('JSON has no charset, as in GitLab', async t => {
  const { call } = await openApp(t)

  t.equal((await call('GET', '/projects')).headers['content-type'], 'application/json')
  t.equal((await call('GET', '/projects/4711')).headers['content-type'], 'application/json')
})
