import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import { applyDeployedFixes, linkDueReleases } from '#errors/commits/link-commits.ts'
import { Visitor } from '../../pages/visitor.ts'
import { anEnvelope, openProject } from '../../support/factories.ts'
import { importCommits } from '../../support/repositories.ts'
import { sentryClient } from '../sentry-api/client.ts'

const ann = { name: 'Ann', email: 'ann@example.com' }
const shaOf = (n: number) => String(n).repeat(40)

async function openShop(t: Test) {
  const world = await openProject(t)
  const { app, call, send, path, platform, project, untilStored } = world
  const visitor = new Visitor(app)
  const settings = `/projects/${project.id}/error_settings/commits`
  const sentry = sentryClient(app)
  let sent = 0

  await visitor.signIn()

  /** As the scheduled job does, at once or later. */
  async function link(minutes = 0) {
    const at = new Date(Date.now() + minutes * 60_000 + 1000)
    const log = { warn: (details: object) => t.fail(JSON.stringify(details)) }
    const { signal } = new AbortController()

    await linkDueReleases({ ...platform, log }, at, signal)
    await applyDeployedFixes(platform, at, signal)
  }

  return {
    ...world,
    visitor,
    settings,
    link,
    sentry,
    code: String(project.path).toUpperCase(),
    /** The id of the new error of an event. */
    async fail(release: string, filename = '/app/src/price.ts') {
      const type = `Error${sent++}`
      const stacktrace = { frames: [{ filename, function: type, lineno: 2, in_app: true }] }

      await send(anEnvelope({ platform: 'node', release, exception: { values: [{ type, value: 'x', stacktrace }] } }))
      const errors = await untilStored(sent)

      return errors.find(({ name }: { name: string }) => name === type).fingerprint as number
    },
    deploy: (release: string) =>
      sentry('POST', `organizations/root/releases/${encodeURIComponent(release)}/deploys/`, { environment: 'live' }),
    statusOf: async (id: number) => (await call('GET', `${path}/errors/${id}`)).body.status,
    commitsOf: async (version: string) =>
      (
        await platform.pool.query(
          'SELECT left(sha, 8) AS sha FROM error_release_commits WHERE project_id = $1 AND version = $2 ORDER BY position',
          [project.id, version]
        )
      ).rows.map(({ sha }) => sha),
    async newSecret() {
      await visitor.get(settings)
      const { body } = await visitor.post(settings)

      return /<input[^>]+value="([0-9a-f]{64})"/.exec(body)![1]!
    },
    push: (payload: object | string, headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: `/-/pushes/${project.id}`, payload, headers: { 'content-type': 'application/json', ...headers } })
  }
}

const sign = (secret: string, body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
})
const aPush = (shas: number[], more: object = {}) => ({
  ref: 'refs/heads/main',
  repository: { full_name: 'acme/shop' },
  commits: shas.map(n => ({ id: shaOf(n), message: `Change ${n}`, author: ann, modified: ['src/price.ts'] })),
  ...more
})

t.test('a release of the own repository has the commits since the release before, and a deployed fix resolves its error', async t => {
  const { fail, link, deploy, statusOf, commitsOf, platform, project, code, visitor } = await openShop(t)
  const first = await importCommits(platform, project.id, [
    { author: ann, message: 'Begin', files: { 'src/price.ts': 'one\ntwo\n' }, tags: ['v1.0.0'] }
  ])
  const id = await fail('shop@1.0.0')

  await link()
  const later = await importCommits(platform, project.id, [
    { author: ann, message: `Round prices\n\nFixes ${code}-${id}`, files: { 'src/price.ts': 'one\n2\n' } },
    { author: ann, message: 'Add <b>carts</b>', files: { 'src/cart.ts': 'x\n' }, tags: ['v1.1.0'] }
  ])
  const other = await fail('shop@1.1.0', '/app/src/cart.ts')

  await link()
  t.same(await commitsOf('shop@1.0.0'), [first[0]!.slice(0, 8)])
  t.same(await commitsOf('shop@1.1.0'), [later[1]!.slice(0, 8), later[0]!.slice(0, 8)])
  t.equal(await statusOf(id), 'unresolved')
  t.match((await visitor.get(`/projects/${project.id}/errors/${id}`)).body, /Fixes<\/h2>[\s\S]+Round prices[\s\S]+not deployed yet/)

  t.equal((await deploy('shop@1.1.0')).status, 201)
  await link()
  t.equal(await statusOf(id), 'resolved')
  t.equal(await statusOf(other), 'unresolved')
  const { body } = await visitor.get(`/projects/${project.id}/errors/${id}`)

  t.match(body, `resolved it in shop@1.1.0, which has the fix ${later[0]!.slice(0, 8)}`)
  t.notMatch(body, 'not deployed yet')
})

t.test('a fix is applied once, also when a later release is the first that is deployed', async t => {
  const { fail, link, deploy, statusOf, sentry, call, path, code } = await openShop(t)
  const id = await fail('shop@1')
  const setCommits = (version: string, commits: object[]) =>
    sentry('POST', 'organizations/root/releases/', { version, projects: [path.split('/')[2]!], commits })

  t.equal((await setCommits('shop@2', [{ id: shaOf(2), message: `fixes ${code}-${id}` }])).status, 201)
  t.equal((await setCommits('shop@3', [{ id: shaOf(3), message: 'Nothing' }])).status, 201)
  await deploy('shop@3')
  await link()
  t.equal(await statusOf(id), 'resolved')
  await call('PUT', `${path}/errors/${id}`, { status: 'unresolved' })
  await deploy('shop@3')
  await setCommits('shop@2', [{ id: shaOf(2), message: `fixes ${code}-${id}` }])
  await link(20)
  t.equal(await statusOf(id), 'unresolved', 'it was reopened by someone who knows better')
})

t.test('commits pushed elsewhere are those of the releases between them', async t => {
  const { fail, link, commitsOf, newSecret, push, visitor, project } = await openShop(t)
  const headers = { 'x-gitlab-token': await newSecret() }

  t.equal((await push(aPush([1, 2]), headers)).statusCode, 201)
  t.equal((await push(aPush([1, 2]), headers)).statusCode, 201, 'it may come twice')
  await push(aPush([8], { ref: 'refs/heads/other' }), headers)
  const id = await fail(`shop@${shaOf(2)}`, '/srv/shop/src/price.ts')

  await link()
  // A release is sometimes seen before its push.
  await fail(`shop@${shaOf(5).slice(0, 12)}`)
  await link()
  t.same(await commitsOf(`shop@${shaOf(5).slice(0, 12)}`), [])
  await push(aPush([3, 4, 5, 6]), headers)
  await link(11)
  t.same(
    await commitsOf(`shop@${shaOf(2)}`),
    [shaOf(2), shaOf(1)].map(sha => sha.slice(0, 8))
  )
  t.same(
    await commitsOf(`shop@${shaOf(5).slice(0, 12)}`),
    [5, 4, 3].map(n => shaOf(n).slice(0, 8))
  )

  const { body } = await visitor.get(`/projects/${project.id}/errors/${id}`)
  t.match(body, /Suspect:<\/strong> Ann[\s\S]{0,9}“Change 2”[\s\S]+changed <code>src\/price\.ts<\/code>/)
  await fail(`shop@${shaOf(7)}`)
  await link()
  await link(90)
  t.same(await commitsOf(`shop@${shaOf(7)}`), [], 'what is not found within the hour is given up')
})

t.test('a push must prove that it knows the secret', async t => {
  const { newSecret, push, visitor, settings, platform } = await openShop(t)
  const body = JSON.stringify(aPush([1]))
  const refused = async (headers: Record<string, string>) => (await push(body, headers)).statusCode === 401

  t.ok(await refused({ 'x-gitlab-token': '' }), 'no secret is set')
  const secret = await newSecret()

  t.equal((await push(body, sign(secret, body))).statusCode, 201)
  t.notMatch((await visitor.get(settings)).body, secret)
  const { rows } = await platform.pool.query('SELECT secret FROM push_secrets')
  t.notMatch(rows[0].secret.toString('latin1'), secret)
  for (const headers of [{}, { 'x-gitlab-token': 'x' }, sign('x', body), sign(secret, `${body} `), { 'x-hub-signature-256': secret }])
    t.ok(await refused(headers as Record<string, string>), JSON.stringify(headers))
  t.equal((await push(body, { ...sign(secret, body), 'x-gitlab-token': 'x' })).statusCode, 401)
  for (const [wrong, status] of [
    ['{"zen":"Keep it logically awesome."}', 200],
    ['[]', 400],
    ['{', 400],
    [`payload=${encodeURIComponent(body)}`, 201]
  ] as const)
    t.equal((await push(wrong, sign(secret, wrong))).statusCode, status, wrong.slice(0, 40))
  t.equal((await push('x'.repeat((2 << 20) + 1), {})).statusCode, 413)

  const second = await newSecret()
  t.ok(await refused(sign(secret, body)), 'the secret was replaced')
  await visitor.post(`${settings}/removal`)
  t.ok(await refused(sign(second, body)))
})

t.test('the file of a commit is found where the paths agree', async t => {
  const { fail, sentry, path, project, visitor } = await openShop(t)
  const changed = (id: string, files: string[]) => ({
    id,
    message: `Change ${files}`,
    author_email: 'root@example.com',
    patch_set: files.map(path => ({ path, type: 'M' }))
  })
  const suspectOf = async (filename: string) => {
    const { body } = await visitor.get(`/projects/${project.id}/errors/${await fail('shop@1', filename)}`)

    return /Suspect:<\/strong>[^“]*“Change ([^”]*)”/.exec(body)?.[1]
  }

  await sentry('POST', 'organizations/root/releases/', {
    version: 'shop@1',
    projects: [path.split('/')[2]!],
    commits: [changed(shaOf(3), ['web/src/cart.ts']), changed(shaOf(2), ['pay.ts']), changed(shaOf(1), ['web/src/cart.ts', 'lib/pay.ts'])]
  })
  t.equal(await suspectOf('/app/src/cart.ts'), 'web/src/cart.ts')
  t.equal(await suspectOf('/app/web/src/cart.ts'), 'web/src/cart.ts')
  t.equal(await suspectOf('pay.ts'), 'pay.ts', 'a name alone is at the top')
  t.equal(await suspectOf('lib/pay.ts'), 'web/src/cart.ts,lib/pay.ts')
  t.equal(await suspectOf('src/other.ts'), undefined)
})
