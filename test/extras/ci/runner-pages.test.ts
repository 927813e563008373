import t, { type Test } from 'tap'
import { aMember } from '../../pages/a-member.ts'
import { Visitor } from '../../pages/visitor.ts'
import { openCiProject } from './ci-project.ts'

async function openPlaces(t: Test) {
  const world = await openCiProject(t, 'test: {script: check}', { env: { DATA_DIR: t.testdir() } })
  const { rest, app, project } = world
  const { body: parent } = await rest('POST', '/groups', { name: 'Parent', path: `parent-${project.id}` })
  const { body: group } = await rest('POST', '/groups', { name: 'Child', path: 'child', parent_id: parent.id })
  const visitor = new Visitor(app)

  await visitor.signIn()

  return {
    ...world,
    visitor,
    places: {
      project_type: `/projects/${project.id}/runners`,
      group_type: `/groups/${group.id}/-/runners`,
      instance_type: '/admin/runners'
    },
    parentUrl: `/groups/${parent.id}/-/runners`
  }
}

const actionsIn = (body: string) => [...body.matchAll(/action="([^"]+\/runners\/\d+\/\w+)"/g)].map(([, action]) => action)

t.test('runners of projects, groups and the installation are made, paused and removed on pages', async t => {
  const { visitor, places, rest, config } = await openPlaces(t)

  for (const [type, url] of Object.entries(places)) {
    t.match((await visitor.get(`${url}/new`)).body, /name="run_untagged" value="true" checked/)
    const made = await visitor.post(url, { description: `The ${type} <b>`, tag_list: 'gpu\r\nlinux', run_untagged: 'true' })
    const [, token = ''] = /value="(glrt-[^"]+)"/.exec(made.body) ?? []
    const [, id] = /Register runner #(\d+)/.exec(made.body) ?? []
    const { body: runner } = await rest('GET', `/runners/${id}`)

    t.equal(made.statusCode, 201)
    t.match(
      made.body,
      `sudo gitlab-runner register --non-interactive --url &#34;${config.baseUrl}&#34; --token &#34;${token}&#34; --executor shell</pre>`
    )
    t.match(made.body, /--executor docker --docker-image alpine:latest<\/pre>/)
    t.hasStrict(runner, { runner_type: type, tag_list: ['gpu', 'linux'], run_untagged: true, paused: false })
    t.equal((await rest('POST', '/runners/verify', { token }, null)).status, 200, 'gitlab-runner registers with the token')
    const list = (await visitor.get(url)).body

    t.match(list, new RegExp(`The ${type} &#60;b&#62;`))
    t.notMatch(list, token)
    t.ok(actionsIn(list).includes(`${url}/${id}/pause`))
    t.equal((await visitor.post(`${url}/${id}/pause`)).headers.location, url)
    t.equal((await rest('GET', `/runners/${id}`)).body.paused, true)
    t.match((await visitor.get(url)).body, />paused</)
    await visitor.post(`${url}/${id}/resume`)
    t.equal((await rest('GET', `/runners/${id}`)).body.paused, false)
    t.equal((await visitor.post(`${url}/${id}/removal`)).statusCode, 303)
    t.equal((await rest('GET', `/runners/${id}`)).status, 404)
    t.equal((await visitor.post(`${url}/${id}/removal`)).statusCode, 404, 'twice')
  }
})

t.test('a runner that would run no job is refused', async t => {
  const { visitor, places } = await openPlaces(t)
  const { statusCode, body } = await visitor.post(places.project_type, { description: 'Idle', tag_list: '' })

  t.equal(statusCode, 400)
  t.match(body, /id="tag_list-error">[^<]+does not run jobs without tags/)
  t.match(body, /value="Idle"/, 'what was typed stays')
  t.equal((await visitor.post(places.project_type, { tag_list: 'x'.repeat(256), run_untagged: 'true' })).statusCode, 400)
})

t.test('the list says whether a runner is online, its version, its tags, and when it was heard of', async t => {
  const { app, visitor, places, rest, project } = await openPlaces(t)
  const { body: runner } = await rest('POST', '/user/runners', {
    runner_type: 'project_type',
    project_id: project.id,
    tag_list: 'gpu',
    run_untagged: false
  })
  const list = async () => (await visitor.get(places.project_type)).body

  t.match(await list(), />never connected<[\s\S]+>gpu<[\s\S]+only jobs with tags/)
  await rest(
    'POST',
    '/jobs/request',
    { token: runner.token, system_id: 's', info: { version: '18.5.0', platform: 'linux', architecture: 'arm64' } },
    null
  )
  t.match(await list(), /class="badge good">online<[\s\S]+version 18\.5\.0 · linux\/arm64 · last contact <time[^>]*>just now</)
  t.match(await list(), /id="runners" data-live="15"/)
  await app.platform.pool.query(`UPDATE ci_runners SET contacted_at = now() - interval '3 hours' WHERE id = $1`, [runner.id])
  t.match(await list(), />offline</)
})

t.test('a place shows the runners above it, and manages only its own', async t => {
  const { visitor, places, parentUrl, rest, app, project } = await openPlaces(t)
  const parentId = Number(/\d+/.exec(parentUrl)![0])
  const { body: above } = await rest('POST', '/user/runners', { runner_type: 'group_type', group_id: parentId, description: 'Above' })
  const { body: shared } = await rest('POST', '/user/runners', { runner_type: 'instance_type', description: 'Shared by all' })

  t.teardown(() => rest('DELETE', `/runners/${shared.id}`))
  for (const [url, id] of [
    [places.group_type, above.id],
    [places.group_type, shared.id],
    [places.project_type, shared.id]
  ]) {
    t.match((await visitor.get(url)).body, new RegExp(`#${id}\\b`))
    t.same(
      actionsIn((await visitor.get(url)).body).filter(action => action?.includes(`/${id}/`)),
      []
    )
    for (const action of ['pause', 'resume', 'removal']) t.equal((await visitor.post(`${url}/${id}/${action}`)).statusCode, 404)
  }
  t.notMatch((await visitor.get(places.project_type)).body, /Above/, 'the runner of a foreign group')
  const developer = await aMember({ app, call: rest }, 'dora')

  await rest('POST', `/projects/${project.id}/members`, { user_id: developer.id, access_level: 30 })
  for (const url of [places.project_type, `${places.project_type}/new`]) t.equal((await developer.get(url)).statusCode, 403)
  t.equal((await developer.post(places.project_type, { run_untagged: 'true' })).statusCode, 403)
  for (const url of [places.group_type, places.instance_type]) t.not((await developer.get(url)).statusCode, 200)
})

t.test('a project that uses the runner of another one only ends that', async t => {
  const { visitor, places, rest, project } = await openPlaces(t)
  const { body: owner } = await rest('POST', '/projects', { name: `Owner of ${project.id}` })
  const { body: runner } = await rest('POST', '/user/runners', { runner_type: 'project_type', project_id: owner.id })
  const ids = async () => (await rest('GET', `/runners/${runner.id}`)).body.projects.map(({ id }: { id: number }) => id)

  await rest('POST', `/projects/${project.id}/runners`, { runner_id: runner.id })
  t.same(await ids(), [project.id, owner.id])
  await visitor.get(places.project_type)
  t.equal((await visitor.post(`${places.project_type}/${runner.id}/removal`)).statusCode, 303)
  t.same(await ids(), [owner.id])
  t.equal((await visitor.post(`/projects/${owner.id}/runners/${runner.id}/removal`)).statusCode, 303)
  t.equal((await rest('GET', `/runners/${runner.id}`)).status, 404)
})
