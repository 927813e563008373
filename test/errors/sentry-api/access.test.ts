import t from 'tap'
import { allRoutesOf } from '../../api/routes.ts'
import { openTown, type Person, people } from '../../api/town.ts'
import { sha1 } from '../fixtures/bundle.ts'

const checksum = sha1(Buffer.from('nothing'))
const wrongCredentials = {
  anonymous: 401,
  expired: 401,
  revoked: 401,
  job: 401,
  deploy: 401,
  'made-up': 401,
  blocked: 403,
  wrongScope: 403
}
const forUploaders = (ok: number) => ({
  ...wrongCredentials,
  stranger: 404,
  guest: 403,
  reporter: 403,
  sudo: 403,
  developer: ok,
  maintainer: ok,
  owner: ok,
  admin: ok,
  impersonation: ok,
  oauth: ok,
  readOnly: 403
})

const reading = (ok: number) => ({ ...forUploaders(ok), readOnly: ok })
const forMembers = (ok: number) => ({ ...forUploaders(ok), guest: ok, reporter: ok, sudo: ok, readOnly: ok })
const forUsers = (ok: number) => ({ ...forMembers(ok), stranger: ok })

/** Every route of Sentry's API, with a request that is valid once the caller has access. */
const table: Record<string, { path?: string; body?: object; status: Partial<Record<Person, number>> }> = {
  'GET ': { status: forUsers(200) },
  'GET auth': { status: forUsers(200) },
  'GET organizations': { status: forUsers(200) },
  'GET organizations/:org/projects': { status: forMembers(200) },
  'GET organizations/:org/teams': { status: reading(200) },
  'POST teams/:org/:team/projects': { path: 'teams/root/none/projects', body: { name: 'Web' }, status: forUploaders(404) },
  'GET organizations/:org/issues': { status: reading(200) },
  'GET organizations/:org/events': { status: reading(200) },
  'GET organizations/:org/events/validate': { status: reading(200) },
  'GET projects/:org/:project': { status: reading(200) },
  'GET organizations/:org/issues/:issue': { path: 'organizations/root/issues/0', status: reading(404) },
  'PUT organizations/:org/issues/:issue': { path: 'organizations/root/issues/0', body: { status: 'resolved' }, status: forUploaders(404) },
  'GET organizations/:org/issues/:issue/events': { path: 'organizations/root/issues/0/events', status: reading(404) },
  'GET organizations/:org/issues/:issue/events/:event': { path: 'organizations/root/issues/0/events/latest', status: reading(404) },
  'GET organizations/:org/issues/:issue/tags': { path: 'organizations/root/issues/0/tags', status: reading(404) },
  'GET organizations/:org/issues/:issue/tags/:tag': { path: 'organizations/root/issues/0/tags/x', status: reading(404) },
  'GET organizations/:org/repos': { status: reading(200) },
  'GET organizations/:org/monitors': { status: reading(200) },
  'GET organizations/:org/chunk-upload': { status: forUploaders(200) },
  'POST organizations/:org/chunk-upload': { body: {}, status: forUploaders(400) },
  'POST organizations/:org/artifactbundle/assemble': {
    body: { checksum, chunks: [checksum], projects: ['private'] },
    status: forUploaders(200)
  },
  'GET organizations/:org/releases': { status: reading(200) },
  'POST organizations/:org/releases': { body: { version: '1', projects: ['private'] }, status: forUploaders(201) },
  'GET organizations/:org/releases/:version': { status: reading(200) },
  'PUT organizations/:org/releases/:version': { body: {}, status: forUploaders(200) },
  'GET organizations/:org/releases/:version/previous-with-commits': { status: reading(200) },
  'GET organizations/:org/releases/:version/deploys': { status: reading(200) },
  'POST organizations/:org/releases/:version/deploys': { body: { environment: 'live' }, status: forUploaders(201) },
  'DELETE organizations/:org/releases/:version': { path: 'organizations/root/releases/none', status: forUploaders(404) },
  'GET projects/:org/:project/issues': { status: reading(200) },
  'PUT projects/:org/:project/issues': { body: { status: 'resolved' }, status: forUploaders(200) },
  'GET projects/:org/:project/events': { status: reading(200) },
  'GET projects/:org/:project/keys': { status: reading(200) },
  'POST projects/:org/:project/keys': { body: { name: 'Web' }, status: { ...forUploaders(201), developer: 403 } },
  'GET projects/:org/:project/events/:event/attachments': {
    path: `projects/root/private/events/${'0'.repeat(32)}/attachments`,
    status: reading(200)
  },
  'GET projects/:org/:project/events/:event/attachments/:attachment(^\\d{1,15}$)': {
    path: `projects/root/private/events/${'0'.repeat(32)}/attachments/1`,
    status: reading(404)
  },
  'GET projects/:org/:project/user-feedback': { status: reading(200) },
  'POST projects/:org/:project/user-feedback': {
    body: { event_id: '0'.repeat(32), comments: 'C' },
    status: forUploaders(200)
  },
  'GET projects/:org/:project/releases': { status: reading(200) },
  'POST projects/:org/:project/releases': { body: { version: '1' }, status: forUploaders(201) },
  'GET projects/:org/:project/releases/:version': { status: reading(200) },
  'PUT projects/:org/:project/releases/:version': { body: {}, status: forUploaders(200) },
  'DELETE projects/:org/:project/releases/:version': { path: 'projects/root/private/releases/none', status: forUploaders(404) }
}

t.test('developers use the API of sentry-cli; other users are refused', async t => {
  const { app, credentials } = await openTown(t)

  for (const [route, { path, body: payload, status }] of Object.entries(table)) {
    const [method, pattern] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
    const url = `/api/0/${path ?? pattern.replace(':org', 'root').replace(':project', 'private').replace(':version', '1')}`
    const statuses: Record<string, number> = {}

    for (const person of people) {
      const { statusCode, body } = await app.inject({ method, url, payload, headers: credentials[person] })

      statuses[person] = statusCode
      if (statusCode >= 400) t.match(JSON.parse(body), { detail: String }, `${person} gets a reason`)
    }
    t.same(statuses, status, route)
  }
})

t.test('the table lists every route', async t => {
  const { app } = await openTown(t)
  const routes = allRoutesOf(app).flatMap(route => (/ \/api\/0(\/.*)?$/.test(route) ? [route.replace(/\/api\/0\/?/, '')] : []))

  t.same(routes.sort(), Object.keys(table).sort())
})

t.test('a project is found in its own organization only', async t => {
  const { app, credentials, projectId } = await openTown(t)
  const assemble = async (org: string, project: string | number) =>
    (
      await app.inject({
        method: 'POST',
        url: `/api/0/organizations/${org}/artifactbundle/assemble/`,
        payload: { checksum, chunks: [checksum], projects: [project] },
        headers: credentials.developer
      })
    ).statusCode

  for (const name of ['private', 'root/private', 'root\ufffdprivate', projectId]) t.equal(await assemble('root', name), 200, String(name))
  t.equal(await assemble('town', projectId), 404)
  t.equal(await assemble('town', 'private'), 404)
  t.equal(await assemble('root', 'nothing'), 404)
})
