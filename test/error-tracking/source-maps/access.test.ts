import t from 'tap'
import { openTown, people } from '../../http/town.ts'
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
  readOnly: 403
})

/** Requests that are valid once the caller may upload. */
const table: [method: 'GET' | 'POST' | 'PUT', path: string, body: object | undefined, ok: number][] = [
  ['GET', 'organizations/root/chunk-upload/', undefined, 200],
  ['POST', 'organizations/root/chunk-upload/', {}, 400],
  ['POST', 'organizations/root/artifactbundle/assemble/', { checksum, chunks: [checksum], projects: ['private'] }, 200],
  ['POST', 'organizations/root/releases/', { version: '1', projects: ['private'] }, 201],
  ['PUT', 'organizations/root/releases/1/', { projects: ['private'] }, 200],
  ['POST', 'projects/root/private/releases/', { version: '1' }, 201],
  ['PUT', 'projects/root/private/releases/1/', {}, 200],
  ['GET', 'organizations/root/repos/', undefined, 200],
  ['GET', 'organizations/root/releases/1/previous-with-commits/', undefined, 200]
]

t.test('developers may upload source maps; other users are refused', async t => {
  const { app, credentials } = await openTown(t)

  for (const [method, path, payload, ok] of table) {
    const statuses: Record<string, number> = {}

    for (const person of people) {
      const { statusCode, body } = await app.inject({ method, url: `/api/0/${path}`, payload, headers: credentials[person] })

      statuses[person] = statusCode
      if (statusCode >= 400) t.match(JSON.parse(body), { detail: String }, `${person} gets a reason`)
    }
    const expected = { ...forUploaders(ok), ...(method === 'GET' && !path.includes('chunk-upload') && { readOnly: ok }) }

    t.same(statuses, expected, `${method} ${path}`)
  }
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
