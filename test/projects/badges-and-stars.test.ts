import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

t.test('a badge is added, rendered, changed and removed', async t => {
  const world = await openApp(t)
  const { call } = world
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'My Shop', namespace_id: group.id })
  const [inProject, inGroup] = [`/projects/${project.id}/badges`, `/groups/${group.id}/badges`]
  const link = 'https://ci.test/%{project_path}?ref=%{default_branch}&x=%{unknown}'
  const { status, body: badge } = await call('POST', inProject, { name: 'CI', link_url: link, image_url: 'http://ci.test/a.svg' })

  t.equal(status, 201)
  hasExactly(t, badge, {
    name: 'CI',
    kind: 'project',
    link_url: link,
    rendered_link_url: 'https://ci.test/team/my-shop?ref=main&x=%{unknown}',
    rendered_image_url: 'http://ci.test/a.svg'
  })
  await call('POST', inGroup, { link_url: 'https://%{gitlab_server}/%{project_id}', image_url: 'http://ci.test/b.svg' })
  hasExactly(t, (await call('GET', inProject)).body, [
    { name: 'CI', kind: 'project' },
    { name: null, kind: 'group', rendered_link_url: `https://tocsin.test/${project.id}` }
  ])
  hasExactly(t, (await call('GET', inGroup)).body, [{ rendered_link_url: 'https://tocsin.test/%{project_id}' }])
  t.equal((await call('GET', `${inProject}?name=CI`)).body.length, 1)
  t.equal((await call('PUT', `${inProject}/${badge.id}`, { image_url: 'http://ci.test/c.svg' })).body.image_url, 'http://ci.test/c.svg')
  t.equal((await call('PUT', `${inProject}/${badge.id}`, {})).status, 400)
  t.equal((await call('PUT', `${inGroup}/${badge.id}`, { name: 'X' })).status, 404, 'the badge of the project')
  hasExactly(t, (await call('GET', `${inProject}/render?link_url=http://x.test/%25{project_id}&image_url=http://x.test`)).body, {
    rendered_link_url: `http://x.test/${project.id}`
  })
  const ann = await aPerson(world, 'ann')
  const preview = `${inProject}/render?link_url=http://x.test&image_url=http://x.test`
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  t.equal((await ann.call('GET', preview)).status, 403, 'only maintainers preview badges')
  t.equal((await call('DELETE', `${inProject}/${badge.id}`)).status, 204)
  t.equal((await call('GET', `${inProject}/${badge.id}`)).status, 404)
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '//x.test', 'http://x.test/"onload="']) {
    t.equal((await call('POST', inProject, { link_url: address, image_url: 'http://x.test' })).status, 400, address)
  }
})

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
