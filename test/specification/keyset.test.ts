import t, { type Test } from 'tap'
import { openCiProject } from '../extras/ci/ci-project.ts'
import { hasRegistry, openRegistry, skopeoOf, writeImage } from '../extras/registry/a-registry.ts'
import { aPerson } from '../projects/people.ts'
import { rootToken } from '../support/world.ts'
import { prove } from './prove.ts'
import { keysetPages } from './statements/endpoints.ts'

const world = await openCiProject(t, 'one: {script: x}\ntwo: {script: x}\nthree: {script: x}')
const { rest, project, platform, run } = world
const { body: group } = await rest('POST', '/groups', { name: 'Makers', path: 'makers', visibility: 'public' })

for (const name of ['ann', 'bob']) await aPerson({ platform, call: rest }, name)
for (const name of ['B', 'A']) {
  await rest('POST', '/groups', { name, path: name, visibility: 'public' })
  await rest('POST', '/projects', { name, visibility: 'public' })
}
for (const visibility of ['public', 'private', 'internal']) {
  await rest('PUT', `/projects/${project.id}`, { visibility })
  await rest('PUT', `/groups/${group.id}`, { visibility })
}
const { body: file } = await rest('PUT', `/projects/${project.id}/packages/generic/tool/1/a?select=package_file`, { a: 1 })
for (let n = 0; n < 3; n++) {
  const { id } = await run()

  await platform.pool.query(
    `INSERT INTO package_files (package_id, project_id, pipeline_id, name, size, sha256, stored_as) VALUES ($1, $2, $3::bigint, 'f', 0, '', 'none/' || $3::bigint)`,
    [file.package_id, project.id, id]
  )
}

type Rows = Record<string, string | number>[]

/** All rows of a list, two on a page, by its links. */
async function walk(url: string, token: string | null = rootToken) {
  const rows: Rows = []
  let next: string | undefined = `${url}${url.includes('?') ? '&' : '?'}pagination=keyset&per_page=2`

  while (next) {
    const { status, headers, body } = await rest('GET', next, undefined, token)

    if (status !== 200) throw new Error(`${next} answered ${status}`)
    rows.push(...body)
    next = /^<[^>]*\/api\/v4([^>]*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
  }

  return rows
}

/** The list has this order, offers no other, and is open to anyone or only to users. */
function ordered(url: string, { by = 'id', sort = 'desc', isOpen = false, rejects = ['asc'] }) {
  return async (t: Test) => {
    const rows = await walk(`${url}?order_by=${by}&sort=${sort}`)
    const values = rows.map(row => row[by]!)
    const inOrder = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))

    t.ok(values.length >= 3, `${values.length} rows`)
    t.same(values, sort === 'asc' ? inOrder : inOrder.reverse())
    for (const other of rejects)
      t.ok((await rest('GET', `${url}?pagination=keyset&order_by=${by}&sort=${other}`)).status >= 400, `not by ${by} ${other}`)
    const { status } = await rest('GET', `${url}?pagination=keyset&order_by=${by}&sort=${sort}`, undefined, null)

    t.equal(status === 200, isOpen, 'for anyone')
  }
}

prove(t, keysetPages, {
  'Link and end': async t => {
    const { headers, body } = await rest('GET', '/users?pagination=keyset&order_by=id&sort=asc&per_page=2')

    t.equal(body.length, 2)
    t.match(headers.link, /^<http:\/\/tocsin\.test\/api\/v4\/users\?[^>]*(id_after|cursor)=[^>]*>; rel="next"$/)
    t.notOk(Object.keys(headers).some(name => /^x-(next-page|page|per-page|prev-page|total)/.test(name)))
    const last = await rest('GET', '/users?pagination=keyset&order_by=id&sort=asc&per_page=100')

    t.equal(last.headers.link, undefined)
    const beyond = await rest('GET', '/projects?pagination=keyset&order_by=id&sort=asc&id_after=999999')

    t.strictSame([beyond.body, beyond.headers.link], [[], undefined])
  },
  'Group audit events': ordered(`/groups/${group.id}/audit_events`, {}),
  Groups: ordered('/groups', { by: 'name', sort: 'asc', isOpen: true, rejects: ['desc'] }),
  'Instance audit events': ordered('/audit_events', {}),
  'Package pipelines': ordered(`/projects/${project.id}/packages/${file.package_id}/pipelines`, {}),
  'Project jobs': ordered(`/projects/${project.id}/jobs`, {}),
  'Project audit events': ordered(`/projects/${project.id}/audit_events`, {}),
  Projects: async t => {
    for (const sort of ['asc', 'desc']) await ordered('/projects', { sort, isOpen: true, rejects: [] })(t)
    t.equal((await rest('GET', '/projects?pagination=keyset&order_by=name')).status, 405)
  },
  Users: async t => {
    for (const by of ['id', 'name', 'username'])
      for (const sort of ['asc', 'desc']) await ordered('/users', { by, sort, isOpen: true, rejects: [] })(t)
  },
  'Registry repository tags': async t => {
    if (!hasRegistry()) return void t.comment('docker-registry, skopeo or openssl is not installed')
    const registry = await openRegistry(t)
    const { call, project, dir } = registry
    const { push } = skopeoOf(registry, `root:${rootToken}`)

    writeImage(`${dir}/image`, 'a layer')
    for (const tag of ['a', 'b', 'c']) await push('image', `${project.path_with_namespace}:${tag}`)
    const url = `/projects/${project.id}/registry/repositories`
    const [{ id }] = (await call('GET', url)).body

    for (const [sort, names] of Object.entries({ asc: ['a', 'b', 'c'], desc: ['c', 'b', 'a'] })) {
      const { body } = await call('GET', `${url}/${id}/tags?pagination=keyset&order_by=name&sort=${sort}`)

      t.same(
        body.map(({ name }: { name: string }) => name),
        names
      )
    }
    t.equal((await call('GET', url, undefined, null)).status, 404)
  }
})
