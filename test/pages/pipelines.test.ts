import t from 'tap'
import { aCiProject } from '../ci/ci-project.ts'
import { aRunner } from '../ci/runner-client.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const config = `
build:
  stage: build
  script: make
deploy:
  stage: deploy
  script: make deploy
  when: manual
`

t.test('pipelines and jobs are pages, at the web_urls of the API, on which they are canceled, retried and started', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'private' })
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`

  await visitor.signIn()
  t.match((await visitor.get(`${root}/pipelines`)).body, /No pipelines yet/)
  await call('POST', `${root}/repository/commits`, {
    branch: 'main',
    commit_message: 'CI',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: config }]
  })
  const { body: pipeline } = await call('POST', `${root}/pipeline`, { ref: 'main' })
  const { body: jobs } = await call('GET', `${root}/pipelines/${pipeline.id}/jobs`)
  const deploy = jobs.find(({ name }: { name: string }) => name === 'deploy')

  for (const { web_url: webUrl } of [pipeline, ...jobs]) {
    const { statusCode, headers } = await visitor.get(new URL(webUrl).pathname)

    t.equal(statusCode, 302, webUrl)
    t.equal((await visitor.get(String(headers.location))).statusCode, 200, webUrl)
  }
  t.match((await visitor.get(`${root}/pipelines`)).body, new RegExp(`#${pipeline.id}`))
  await visitor.get(`${root}/pipelines/${pipeline.id}`)
  t.equal((await visitor.post(`${root}/pipelines/${pipeline.id}/cancel`)).statusCode, 303)
  t.match((await visitor.get(`${root}/pipelines/${pipeline.id}`)).body, /canceled[\s\S]+Retry failed jobs/)
  t.equal((await visitor.post(`${root}/pipelines/${pipeline.id}/retry`)).statusCode, 303)
  const { body: again } = await call('GET', `${root}/pipelines/${pipeline.id}/jobs`)
  t.ok(
    again.every(({ id }: { id: number }) => id > deploy.id),
    'retried jobs are new ones'
  )
  await visitor.get(`${root}/jobs/${again[0].id}`)
  const canceled = await visitor.post(`${root}/jobs/${again[0].id}/cancel`)
  t.equal(canceled.statusCode, 303)
  t.match((await visitor.get(String(canceled.headers.location))).body, /canceled/)
})

t.test('developers run a pipeline on a page, with variables', async t => {
  const { app, call, project } = await aCiProject(t, 'build: {script: make}\nlive: {script: x, rules: [{if: $TARGET == "live=yes"}]}')
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}/pipelines`

  await visitor.signIn()
  t.match((await visitor.get(root)).body, new RegExp(`href="${root}/new"`))
  t.match((await visitor.get(`${root}/new`)).body, /name="ref"[^>]*value="main"/)
  for (const [form, reason] of [
    [{ ref: 'gone' }, /Reference not found/],
    [{ ref: 'main', variables: 'no value' }, /id="variables-error">Write NAME=value instead of no value/]
  ] as const) {
    const { statusCode, body } = await visitor.post(root, form)

    t.equal(statusCode, 400)
    t.match(body, reason)
  }
  const { statusCode, headers } = await visitor.post(root, { ref: 'main', variables: 'TARGET=live=yes\r\nEMPTY=' })
  const { body: pipeline } = await call('GET', `/pipelines/${String(headers.location).split('/').at(-1)}`)
  const { body: jobs } = await call('GET', `/pipelines/${pipeline.id}/jobs`)

  t.equal(statusCode, 303)
  t.hasStrict(pipeline, { ref: 'main', source: 'web' })
  t.same(jobs.map(({ name }: { name: string }) => name).sort(), ['build', 'live'])
})

t.test('a manual job is started on its page', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`

  await visitor.signIn()
  await call('POST', `${root}/repository/commits`, {
    branch: 'main',
    commit_message: 'CI',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'deploy:\n  script: make\n  when: manual\n' }]
  })
  const { body: pipeline } = await call('POST', `${root}/pipeline`, { ref: 'main' })
  const { body: jobs } = await call('GET', `${root}/pipelines/${pipeline.id}/jobs`)

  t.match((await visitor.get(`${root}/jobs/${jobs[0].id}`)).body, /Start<\/button>/)
  t.equal((await visitor.post(`${root}/jobs/${jobs[0].id}/play`)).statusCode, 303)
  t.equal((await call('GET', `${root}/jobs/${jobs[0].id}`)).body.status, 'pending')
})

t.test('the page of a job has its log as a terminal shows it, the end of a long one, and its artifacts', async t => {
  const world = await aCiProject(t, 'test: {script: check, artifacts: {paths: [out]}}', { env: { DATA_DIR: t.testdir() } })
  const runner = await aRunner(world)
  const visitor = new Visitor(world.app)

  await world.run()
  const { body: job } = await runner.take()
  const page = async () => (await visitor.get(`/projects/${world.project.id}/jobs/${job.id}`)).body

  await visitor.signIn()
  t.match(await page(), /has printed nothing yet/)
  const log =
    'section_start:1:a\r\u001b[0K\u001b[36;1mBegin\u001b[0;m\r\n10%\r100%\n<script>alert(1)</script>\nsection_end:1:a\r\u001b[0K\n'
  await runner.log(job, 0, log)
  t.match(await page(), />Begin\n100%\n&#60;script&#62;alert\(1\)&#60;\/script&#62;\n/)
  t.match(await page(), /Reload/)
  const stamped = [
    ['01O ', 'one'],
    ['00O ', 'section_end:2:a\r\u001b[0K'],
    ['00O+', 'section_start:2:b\r\u001b[0K'],
    ['00O+', '\u001b[0K\u001b[36;1mHeading\u001b[0;m'],
    ['01E ', 'two'],
    ['00O ', 'section_end:3:b\r\u001b[0K'],
    ['00O ', 'Job succeeded']
  ].map(([stream, text]) => `2026-11-25T03:23:46.309576Z ${stream}${text}\n`)
  await runner.log(job, Buffer.byteLength(log), stamped.join(''))
  t.match(await page(), /\none\nHeading\ntwo\nJob succeeded\n/, 'with the times of gitlab-runner')
  await runner.log(job, Buffer.byteLength(log + stamped.join('')), `${'x'.repeat(1023)}\n`.repeat(300))
  const long = await page()
  t.notMatch(long, /Begin/)
  t.match(long, /The last 256 KiB of 300 KiB/)
  await runner.report(job, 'success')
  t.notMatch(await page(), /Reload/)
})
