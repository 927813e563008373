import t from 'tap'
import { aPerson } from '../projects/people.ts'
import { aCodeProject } from './code.ts'

t.test('the languages of the default branch are listed by their share of the bytes', async t => {
  const { call, project, commit } = await aCodeProject(t)
  const languages = async () => (await call('GET', `/projects/${project.id}/languages`)).body

  t.same(await languages(), {}, 'of an empty repository')
  await commit({ 'README.md': 'x'.repeat(500), 'data.json': '{}' })
  t.same(await languages(), {}, 'prose and data are no languages')
  await commit({ 'src/a.rb': 'a'.repeat(50), 'src/Ä b.py': 'b'.repeat(25), Makefile: 'c'.repeat(25), 'vendor/d.js': 'd', 'e.min.js': 'e' })
  t.same(await languages(), { Ruby: 50, Makefile: 25, Python: 25 })
  await commit({ 'src/a.go': 'g'.repeat(200) }, { branch: 'other', start_branch: 'main' })
  t.same(await languages(), { Ruby: 50, Makefile: 25, Python: 25 }, 'of the default branch alone')
  await commit({ 'src/a.rb': null, Makefile: null, 'a.ts': 't'.repeat(50) })
  t.same(Object.entries(await languages()), [
    ['TypeScript', 66.67],
    ['Python', 33.33]
  ])
})

t.test('guests of a private project do not see its languages', async t => {
  const world = await aCodeProject(t)
  const ann = await aPerson(world, 'ann')
  const path = `/projects/${world.project.id}/languages`

  t.equal((await ann.call('GET', path)).status, 404)
  await world.call('POST', `/projects/${world.project.id}/members`, { user_id: ann.id, access_level: 10 })
  t.equal((await ann.call('GET', path)).status, 403)
})
