import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { deleteExpiredArtifacts } from '#extras/ci/artifacts/artifact-store.ts'
import { deleteOrphanArtifacts } from '#extras/ci/artifacts/change-artifacts.ts'
import { zip as zipOf } from '../../errors/fixtures/bundle.ts'
import { aPerson } from '../../identity/people.ts'
import { newFiles } from '../../support/folders.ts'
import { rootToken } from '../../support/world.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

const config = `
stages: [build, test]
build: {stage: build, script: x, artifacts: {paths: [out], expire_in: 1 week}}
lint: {stage: build, script: x, artifacts: {paths: [out], access: developer}}
test: {stage: test, script: x}
check: {stage: test, script: x, needs: [build]}
alone: {stage: test, script: x, dependencies: []}
`

async function openBuiltProject(t: Test, env: Record<string, string> = {}) {
  const world = await openCiProject(t, config, { env })
  const runner = await aRunner(world)
  const upload = async (
    job: { id: number; token: string },
    content: Buffer | string,
    query = 'artifact_type=archive&artifact_format=zip',
    { before = {}, after = {} }: { before?: Record<string, string>; after?: Record<string, string> } = {}
  ) => {
    const form = new FormData()

    for (const [name, value] of Object.entries(before)) form.set(name, value)
    form.set('file', new Blob([content as string]), 'artifacts.zip')
    for (const [name, value] of Object.entries(after)) form.set(name, value)
    const body = new Response(form)
    const response = await world.app.inject({
      method: 'POST',
      url: `/api/v4/jobs/${job.id}/artifacts?${query}`,
      payload: Buffer.from(await body.arrayBuffer()),
      headers: { 'job-token': job.token, 'content-type': body.headers.get('content-type')! }
    })

    return { status: response.statusCode, body: response.json() }
  }
  const download = (url: string, headers: Record<string, string>) => world.app.inject({ url: `/api/v4${url}`, headers })
  const files = await newFiles(join(world.config.dataDir, 'uploads', world.config.namespace, 'job-artifacts'))

  return { ...world, runner, upload, download, files }
}

t.test('artifacts are uploaded by the job, downloaded whole and file by file, and passed on to later jobs', async t => {
  const { run, runner, upload, download, call, project } = await openBuiltProject(t)
  await run()
  const { body: build } = await runner.take()
  const zip = zipOf({ 'out/a.txt': 'hello', 'out/b/c.txt': 'deep' })

  t.same(await upload(build, zip, 'artifact_type=archive&artifact_format=zip&expire_in=1+week'), {
    status: 201,
    body: { message: '201 Created' }
  })
  t.equal((await upload(build, zip)).status, 400, 'once')
  t.equal((await upload(build, 'xml', 'artifact_type=junit&artifact_format=gzip')).status, 201)
  t.equal((await upload({ ...build, token: 'glcbt-no' }, zip)).status, 403)
  await runner.report(build, 'success')
  t.equal((await upload(build, zip, 'artifact_type=sast&artifact_format=raw')).status, 403, 'not afterwards')

  const { body: shown } = await call('GET', `/jobs/${build.id}`)
  t.hasStrict(shown.artifacts_file, { filename: 'artifacts.zip', size: zip.length })
  t.same(shown.artifacts.map((artifact: { file_type: string }) => artifact.file_type).sort(), ['archive', 'junit'])
  t.ok(Date.parse(shown.artifacts_expire_at) > Date.now() + 6.9 * 86_400_000)

  const root = { 'private-token': rootToken }
  const answer = await download(`/projects/${project.id}/jobs/${build.id}/artifacts`, root)
  t.same(answer.rawPayload, zip)
  t.match(answer.headers['content-disposition'], /attachment.*artifacts\.zip/)
  t.equal((await download(`/projects/${project.id}/jobs/${build.id}/artifacts/out/b/c.txt`, root)).body, 'deep')
  t.equal((await download(`/projects/${project.id}/jobs/${build.id}/artifacts/out/none`, root)).statusCode, 404)
  t.same((await download(`/projects/${project.id}/jobs/artifacts/main/download?job=build`, root)).rawPayload, zip)
  t.equal((await download(`/projects/${project.id}/jobs/artifacts/main/raw/out/a.txt?job=build`, root)).body, 'hello')
  t.equal((await download(`/projects/${project.id}/jobs/artifacts/main/download?job=none`, root)).statusCode, 404)

  const { body: lint } = await runner.take()
  t.equal(lint.job_info.name, 'lint')
  await runner.report(lint, 'success')
  const later = await Promise.all([runner.take(), runner.take(), runner.take()])
  const names = Object.fromEntries(
    later.map(({ body }) => [body.job_info.name, body.dependencies.map(({ name }: { name: string }) => name)])
  )
  t.same(names, { test: ['build'], check: ['build'], alone: [] })
  const { id, token } = later[0]!.body.dependencies[0] ?? later[1]!.body.dependencies[0]
  t.same((await download(`/jobs/${id}/artifacts`, { 'job-token': token })).rawPayload, zip)
  t.equal((await download(`/jobs/${id}/artifacts`, { 'job-token': 'glcbt-no' })).statusCode, 403)
})

t.test('variables of a dotenv report are in the jobs that get artifacts of its job', async t => {
  const { run, runner, upload } = await openBuiltProject(t)
  const dotenv = (job: { id: number; token: string }, text: string) =>
    upload(job, gzipSync(text), 'artifact_type=dotenv&artifact_format=gzip')
  await run({ variables: [{ key: 'MODE', value: 'of the pipeline' }] })
  const { body: build } = await runner.take()
  const { body: lint } = await runner.take()

  t.equal((await dotenv(build, 'VERSION=1\nQUOTED="a b"\nMODE=of the report\nURL = https://x/?a=b \r\n')).status, 201)
  t.equal((await dotenv(build, 'VERSION=2')).status, 400, 'once')
  for (const job of [build, lint]) await runner.report(job, 'success')
  const later = await Promise.all([runner.take(), runner.take(), runner.take()])
  const given = Object.fromEntries(
    later.map(({ body }) => [
      body.job_info.name,
      ['VERSION', 'QUOTED', 'MODE', 'URL'].map(
        key => body.variables.findLast((variable: { key: string }) => variable.key === key)?.value ?? null
      )
    ])
  )

  t.same(given, {
    test: ['1', '"a b"', 'of the pipeline', 'https://x/?a=b'],
    check: ['1', '"a b"', 'of the pipeline', 'https://x/?a=b'],
    alone: [null, null, 'of the pipeline', null]
  })
})

t.test('a dotenv report that is not one is refused', async t => {
  const { run, runner, upload } = await openBuiltProject(t)
  await run()
  const { body: job } = await runner.take()
  const refused = async (content: Buffer, format = 'gzip') => {
    const { status, body } = await upload(job, content, `artifact_type=dotenv&artifact_format=${format}`)

    return [status, body.message]
  }
  const lines = (count: number) => gzipSync(Array.from({ length: count }, (_, index) => `V${index}=x\n`).join(''))
  const notText = '400 Bad request - a dotenv report must be UTF-8 text of at most 5120 bytes, compressed with gzip'

  t.same(await refused(Buffer.from('A=b')), [400, notText])
  t.same(await refused(gzipSync(Buffer.from([0x41, 0x3d, 0xff]))), [400, notText])
  t.same(await refused(gzipSync(`A=${'b'.repeat(5119)}`)), [400, notText])
  t.same(await refused(Buffer.alloc(100_000)), [400, notText])
  t.same(await refused(gzipSync('A=b\n\nB=c')), [400, '400 Bad request - line 2 of the dotenv report is not KEY=value'])
  t.same(await refused(gzipSync('A-B=c')), [400, '400 Bad request - line 1 of the dotenv report is not KEY=value'])
  t.same(await refused(lines(21)), [400, '400 Bad request - a dotenv report can have at most 20 variables'])
  t.same(await refused(gzipSync('A=b'), 'raw'), [400, 'artifact_format of a dotenv report must be gzip'])
  t.equal((await upload(job, lines(20), 'artifact_type=dotenv&artifact_format=gzip')).status, 201)
})

t.test('the type and the format of an artifact are parameters of the address or fields of the form', async t => {
  const { run, runner, upload, call, files } = await openBuiltProject(t)
  await run()
  const { body: job } = await runner.take()
  const refused = async (query: string, after = {}) => {
    const { status, body } = await upload(job, 'x', query, { after })

    return [status, body.error]
  }
  const [noType, noFormat] = ['artifact_type does not have a valid value', 'artifact_format does not have a valid value']

  t.same(await refused('artifact_type=nope'), [400, noType])
  t.same(await refused('', { artifact_type: 'nope' }), [400, noType])
  t.same(await refused('artifact_type=junit&artifact_format=rar'), [400, noFormat])
  t.same(await refused('artifact_type=junit', { artifact_format: 'rar' }), [400, noFormat])
  t.same(await refused('', { artifact_format: 'gzip' }), [400, 'artifact_format of an archive must be zip'])
  t.same(await files(), [])
  t.equal((await upload(job, 'x', '', { before: { artifact_type: 'junit', artifact_format: 'gzip' } })).status, 201)
  t.equal((await upload(job, 'x', '', { after: { artifact_type: 'sast', artifact_format: 'raw', expire_in: '2 days' } })).status, 201)
  const form = { artifact_type: 'dotenv', artifact_format: 'gzip' }
  t.equal((await upload(job, gzipSync('A=b'), 'artifact_type=archive', { after: form })).status, 201)
  const { artifacts } = (await call('GET', `/jobs/${job.id}`)).body
  t.same(artifacts.map((artifact: Record<string, string>) => `${artifact.file_type} ${artifact.file_format}`).sort(), [
    'dotenv gzip',
    'junit gzip',
    'sast raw'
  ])
})

t.test('an upload that is cut off leaves nothing', async t => {
  const { app, run, runner, files } = await openBuiltProject(t)
  await run()
  const { body: job } = await runner.take()
  const cut = (payload: string) =>
    app.inject({
      method: 'POST',
      url: `/api/v4/jobs/${job.id}/artifacts?artifact_type=junit&artifact_format=gzip`,
      payload,
      headers: { 'job-token': job.token, 'content-type': 'multipart/form-data; boundary=b' }
    })
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\ncontent'

  t.equal((await cut(file)).statusCode, 400)
  t.equal((await cut(`${file}\r\n--b\r\ncontent-disposition: form-data; name="x"\r\n\r\ny`)).statusCode, 400)
  t.equal((await cut('--b--')).statusCode, 400)
  t.same(await files(), [])
  t.equal((await cut(`${file}\r\n--b--`)).statusCode, 201)
})

t.test('an archive that is no zip file is refused, and the real one is stored', async t => {
  const { run, runner, upload, files } = await openBuiltProject(t)
  await run()
  const { body: job } = await runner.take()
  const zip = zipOf({ 'a.txt': 'hello', 'b.txt': 'more' })
  const damaged = Buffer.from(zip)
  damaged.fill(0, damaged.indexOf('PK\x01\x02'), damaged.indexOf('PK\x01\x02') + 4)

  for (const content of [Buffer.from('not a zip'), Buffer.alloc(0), zip.subarray(0, -30), damaged])
    t.hasStrict(await upload(job, content), { status: 400, body: { message: '400 Bad request - the archive is not a zip file' } })
  t.same(await files(), [])
  t.equal((await upload(job, zip)).status, 201)
})

t.test('entries with names outside of the archive are not served, and the others are', async t => {
  const { run, runner, upload, download, project } = await openBuiltProject(t)
  await run()
  const { body: job } = await runner.take()
  const get = async (path: string) => {
    const { statusCode, body } = await download(`/projects/${project.id}/jobs/${job.id}/artifacts/${path}`, { 'private-token': rootToken })

    return statusCode === 200 ? body : statusCode
  }

  t.equal((await upload(job, zipOf({ '../evil': 'x', '/abs': 'x', 'C:evil': 'x', 'out/good.txt': 'fine' }))).status, 201)
  t.equal(await get('out/good.txt'), 'fine')
  t.equal(await get('out/none.txt'), 404)
  t.equal(await get('..%2Fevil'), 404)
  t.equal(await get('C:evil'), 404)
})

t.test('artifacts of restricted access need the role', async t => {
  const { run, runner, upload, download, project, rest } = await openBuiltProject(t)
  const reporter = await aPerson(rest, 'reporter')
  const developer = await aPerson(rest, 'developer')

  for (const [{ id }, level] of [
    [reporter, 20],
    [developer, 30]
  ] as const)
    await rest('POST', `/projects/${project.id}/members`, { user_id: id, access_level: level })
  await run()
  const jobs = [(await runner.take()).body, (await runner.take()).body]

  for (const job of jobs) await upload(job, zipOf({ a: 'b' }))
  const statuses = async (token: string) =>
    Promise.all(
      jobs.map(async ({ id }) => (await download(`/projects/${project.id}/jobs/${id}/artifacts`, { 'private-token': token })).statusCode)
    )
  t.same(await statuses(reporter.token), [200, 403])
  t.same(await statuses(developer.token), [200, 200])
  t.same(await statuses((await aPerson(rest, 'stranger')).token), [404, 404])
})

t.test('an upload that is too large leaves nothing', async t => {
  const { run, runner, upload, files, call } = await openBuiltProject(t, {
    JOB_ARTIFACTS_MAX_BYTES: '2048',
    JOB_ARTIFACTS_PROJECT_MAX_BYTES: '3000'
  })
  await run()
  const { body: job } = await runner.take()

  t.equal((await upload(job, Buffer.alloc(2049))).status, 413)
  t.same(await files(), [])
  t.equal((await upload(job, zipOf({ a: randomBytes(950).toString('hex') }))).status, 201)
  t.hasStrict(await upload(job, Buffer.alloc(2000), 'artifact_type=junit&artifact_format=gzip'), {
    status: 413,
    body: { message: '413 Request Entity Too Large - the project has too many artifacts: delete some' }
  })
  t.equal((await files()).length, 1)
  t.equal((await upload(job, 'x', 'artifact_type=sast&artifact_format=gzip&expire_in=soon')).status, 400)
  t.equal((await call('GET', `/jobs/${job.id}`)).body.artifacts.length, 1)
})

t.test('artifacts expire unless they are kept, and are deleted with their files', async t => {
  const { run, runner, upload, files, call, platform, config } = await openBuiltProject(t)
  await run()
  const { body: first } = await runner.take()
  const { body: second } = await runner.take()
  const later = new Date(Date.now() + 8 * 86_400_000)

  for (const job of [first, second]) await upload(job, zipOf({ a: 'b' }), 'expire_in=1+week')
  t.equal((await call('POST', `/jobs/${second.id}/artifacts/keep`)).body.artifacts_expire_at, null)
  await deleteExpiredArtifacts(platform.fork(), later)
  t.equal((await call('GET', `/jobs/${first.id}`)).body.artifacts.length, 0)
  await deleteOrphanArtifacts(platform.fork(), config, new Date(Date.now() + 2 * 3600_000))
  t.equal((await files()).length, 1)
  t.equal((await call('DELETE', `/jobs/${second.id}/artifacts`)).status, 204)
  t.same(await files(), [])
  t.equal((await call('GET', `/jobs/${second.id}/artifacts`)).status, 404)
})

t.test('a job token opens its own project, and those that allow it', async t => {
  const { run, runner, rest, app, project } = await openBuiltProject(t)
  const { body: second } = await rest('POST', '/projects', { name: 'Second' })
  const { body: group } = await rest('POST', '/groups', { name: 'Town', path: 'town' })
  await run()
  const { body: job } = await runner.take()
  const ask = async (id: number) =>
    (await app.inject({ url: `/api/v4/projects/${id}/jobs/0/artifacts`, headers: { 'job-token': job.token } })).json().message
  const scope = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) =>
    rest(method, `/projects/${second.id}/job_token_scope${path}`, body)

  t.equal(await ask(project.id), '404 Not Found', 'the job does not exist')
  t.equal(await ask(second.id), '404 Project Not Found')
  t.hasStrict(await scope('POST', '/allowlist', { target_project_id: project.id }), {
    status: 201,
    body: { source_project_id: second.id, target_project_id: project.id }
  })
  t.equal(await ask(second.id), '404 Not Found')
  t.hasStrict((await scope('GET', '/allowlist')).body, [{ id: project.id }])
  t.equal((await scope('POST', '/allowlist', { target_project_id: project.id })).status, 409)
  t.equal((await scope('DELETE', `/allowlist/${project.id}`)).status, 204)
  t.equal((await scope('DELETE', `/allowlist/${project.id}`)).status, 404)
  t.equal(await ask(second.id), '404 Project Not Found')

  await rest('PUT', `/projects/${project.id}/transfer`, { namespace: 'town' })
  t.equal((await scope('POST', '/groups_allowlist', { target_group_id: group.id })).status, 201)
  t.hasStrict((await scope('GET', '/groups_allowlist')).body, [{ id: group.id }])
  t.equal(await ask(second.id), '404 Not Found')
  t.same((await scope('GET')).body, { inbound_enabled: true })
  t.equal((await scope('PATCH', '', { enabled: false })).status, 400)
})

t.test('before 18.0 a project can keep the tokens of its jobs from other projects', async t => {
  for (const [version, isObeyed] of [
    ['17.11', true],
    ['18.0', false]
  ] as const) {
    const { run, runner, rest, app, project } = await openBuiltProject(t, { SERVICE_VERSION: version })
    const { body: second } = await rest('POST', '/projects', { name: 'Second' })
    await rest('POST', `/projects/${second.id}/job_token_scope/allowlist`, { target_project_id: project.id })
    await run()
    const { body: job } = await runner.take()
    const ask = async (id: number) =>
      (await app.inject({ url: `/api/v4/projects/${id}/jobs/0/artifacts`, headers: { 'job-token': job.token } })).json().message
    const limit = async (isLimited: boolean) =>
      (await rest('PUT', `/projects/${project.id}`, { ci_job_token_scope_enabled: isLimited })).body.ci_job_token_scope_enabled

    t.equal(await ask(second.id), '404 Not Found', 'the other one allows it')
    t.equal(await limit(true), isObeyed ? true : undefined)
    t.equal((await rest('GET', `/projects/${project.id}`)).body.ci_job_token_scope_enabled, isObeyed ? true : undefined)
    t.equal((await rest('GET', `/projects/${project.id}/job_token_scope`)).body.outbound_enabled, isObeyed ? true : undefined)
    t.equal(await ask(second.id), isObeyed ? '404 Project Not Found' : '404 Not Found', version)
    t.equal(await ask(project.id), '404 Not Found', 'its own project')
    await limit(false)
    t.equal(await ask(second.id), '404 Not Found')
  }
})

t.test('before 18.0 the allowlist can be off', async t => {
  const { run, runner, rest, app } = await openBuiltProject(t, { SERVICE_VERSION: '17.11' })
  const { body: second } = await rest('POST', '/projects', { name: 'Second' })
  await run()
  const { body: job } = await runner.take()
  const ask = async () =>
    (await app.inject({ url: `/api/v4/projects/${second.id}/jobs/0/artifacts`, headers: { 'job-token': job.token } })).json().message

  t.equal(await ask(), '404 Project Not Found')
  t.equal((await rest('PATCH', `/projects/${second.id}/job_token_scope`, { enabled: false })).status, 204)
  t.same((await rest('GET', `/projects/${second.id}/job_token_scope`)).body, { inbound_enabled: false, outbound_enabled: false })
  t.equal(await ask(), '404 Not Found')
})
