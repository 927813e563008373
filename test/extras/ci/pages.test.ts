import t from 'tap'
import { aMember } from '../../pages/a-member.ts'
import { Visitor } from '../../pages/visitor.ts'
import { openApp } from '../../support/world.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

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

t.test('jobs are listed by stage, and by name within, also after one was retried', async t => {
  const { app, call, run, project } = await openCiProject(
    t,
    'stages: [one, two]\nfirst: {stage: one, script: x}\ntest: {stage: two, script: x, parallel: 10}'
  )
  const visitor = new Visitor(app)
  const { id } = await run()
  const [first] = (await call('GET', `/pipelines/${id}/jobs?per_page=100`)).body.toReversed()

  await call('POST', `/jobs/${first.id}/cancel`)
  await call('POST', `/jobs/${first.id}/retry`)
  await visitor.signIn()
  const { body } = await visitor.get(`/projects/${project.id}/pipelines/${id}`)

  t.same(
    [...body.matchAll(/<h2>(\w+)<|\/jobs\/\d+">([^<]+)</g)].map(([, stage, job]) => stage ?? job),
    ['one', 'first', 'two', ...Array.from({ length: 10 }, (_, n) => `test ${n + 1}/10`)]
  )
})

t.test('developers run a pipeline on a page, with variables', async t => {
  const { app, call, project } = await openCiProject(t, 'build: {script: make}\nlive: {script: x, rules: [{if: $TARGET == "live=yes"}]}')
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

t.test('the list of pipelines has their commits, times and people, and is filtered by status and branch', async t => {
  const { app, rest, project, commit, run } = await openCiProject(t, 'build: {script: make}')
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`
  const list = async (query = '') => (await visitor.get(`${root}/pipelines${query}`)).body
  const shown = (body: string) => [...body.matchAll(/<strong>#(\d+)</g)].map(([, id]) => Number(id))

  await visitor.signIn()
  await commit({ a: 'b' }, { branch: 'new/look', start_branch: 'main', commit_message: 'Paint <b>\n\nIt was grey.' })
  const [first, second] = [await run(), await run({ ref: 'new/look' })]
  await rest('POST', `${root}/pipelines/${first.id}/cancel`)
  await app.platform.pool.query(
    `UPDATE ci_pipelines SET started_at = '2026-01-01T00:00:00Z', finished_at = '2026-01-01T00:02:00Z' WHERE id = $1`,
    [first.id]
  )
  const { body: branches } = await rest('GET', `${root}/pipelines`)
  const all = await list()

  t.equal(branches.length, shown(all).length)
  t.match(all, /Paint &#60;b&#62;<\/p>/)
  t.match(
    all,
    `<a href="${root}/code/tree/new/look">new/look</a> · <a href="${root}/code/commit/${second.sha}"><code>${second.sha.slice(0, 8)}</code></a>`
  )
  t.match(all, /<a href="\/root">[^<]+<\/a> · <time[^>]*>just now<\/time> · 2 min</)
  t.same(shown(await list('?status=canceled')), [first.id])
  t.notOk(shown(await list('?ref=new/look')).includes(first.id))
  t.ok(shown(await list('?ref=new%2Flook')).includes(second.id))
  t.match(await list('?status=canceled&ref=main'), /<option value="canceled" selected>[\s\S]+name="ref"[^>]*value="main"/)
  t.match(await list('?status=failed'), /No pipelines match these filters/)
  t.same(shown(await list('?status=%00&ref=%00&page=x')), shown(all), 'unknown values are ignored')
  await app.platform.pool.query(
    `INSERT INTO ci_pipelines (project_id, iid, ref, is_tag, sha, commit, source, status, created_at, updated_at)
     SELECT project_id, 100 + n, ref, is_tag, sha, commit, source, status, created_at, updated_at
     FROM ci_pipelines, generate_series(1, 30) n WHERE id = $1`,
    [first.id]
  )
  t.match(await list('?status=canceled&ref=main'), /rel="next" href="\?status=canceled&#38;ref=main&#38;page=2"/)
  t.match(await list('?status=canceled'), /A deleted user/)
})

t.test('the pages of a pipeline and of a job say who started it, from where, how long it took, and on which runner', async t => {
  const world = await openCiProject(t, 'test: {script: check, artifacts: {paths: [out]}}', { env: { DATA_DIR: t.testdir() } })
  const runner = await aRunner(world, { description: 'The fast one' })
  const { app, project } = world
  const visitor = new Visitor(app)
  const root = `/projects/${project.id}`
  const pipeline = await world.run()
  const { body: job } = await runner.take()
  const page = async (path: string) => (await visitor.get(`${root}/${path}`)).body
  const fact = (name: string, value: string) => new RegExp(`<dt>${name}</dt><dd>${value}</dd>`)

  await visitor.signIn()
  await runner.report(job, 'failed', { failure_reason: 'script_failure', exit_code: 3 })
  for (const path of [`pipelines/${pipeline.id}`, `jobs/${job.id}`]) {
    const body = await page(path)

    t.match(body, fact('Branch', `<a href="${root}/code/tree/main">main</a>`))
    t.match(body, fact('Commit', `<a href="${root}/code/commit/${pipeline.sha}">[^<]+</a> <code>${pipeline.sha.slice(0, 8)}</code>`))
    t.match(body, fact('Started by', '<a href="/root">[^<]+</a>'))
    t.match(body, fact('Source', 'api'))
    t.match(body, fact('Duration', '\\d+ s'))
    t.match(body, /<div class="heading">\s*<h1>[\s\S]+?Retry[\s\S]+?<\/div>/, 'the button is beside the title')
  }
  t.match(await page(`jobs/${job.id}`), fact('Runner', `#${runner.id} The fast one`))
  t.match(await page(`jobs/${job.id}`), fact('Failed because of', 'script failure'))
  t.match(await page(`jobs/${job.id}`), fact('Exit code', '3'))
})

t.test('the page of a job lists what it left, and downloads what the reader may have', async t => {
  const { app, rest, project, run, idOf } = await openCiProject(t, 'build: {script: make}')
  const member = await aMember({ app, call: rest }, 'rita')
  const id = await idOf(await run(), 'build')
  const root = `/projects/${project.id}/jobs/${id}`
  const add = (type: string, filename: string, minRole: number, expiresAt: string | null) =>
    app.platform.pool.query(
      `INSERT INTO ci_job_artifacts (job_id, project_id, type, format, filename, size, sha256, stored_as, min_role, created_at, expires_at)
       VALUES ($1, $2, $3, 'zip', $4, 2048, '', $4, $5, now(), $6)`,
      [id, project.id, type, filename, minRole, expiresAt]
    )

  await rest('POST', `/projects/${project.id}/members`, { user_id: member.id, access_level: 20 })
  t.notMatch((await member.get(root)).body, /Artifacts/)
  await add('dotenv', '.env.gz', 0, null)
  await add('archive', 'artifacts.zip', 30, '2099-01-01')
  const { body } = await member.get(root)

  t.match(
    body,
    /\.env\.gz <span class="badge">dotenv<[\s\S]+2\.0 KiB<[\s\S]+artifacts\.zip <span class="badge">archive<[\s\S]+2\.0 KiB · expires <time[^>]*>in \d+ days<[\s\S]+not for your role/
  )
  t.notMatch(body, /download>/)
  const visitor = new Visitor(app)
  await visitor.signIn()
  t.match((await visitor.get(root)).body, `<a class="button plain" href="/api/v4${root}/artifacts" download>`)
  await app.platform.pool.query(`UPDATE ci_job_artifacts SET expires_at = '2020-01-01'`)
  t.match((await visitor.get(root)).body, /expired <time/)
  t.notMatch((await visitor.get(root)).body, /download>/)
})

t.test('the form of a pipeline offers the newest branches and tags, and says who reads its variables', async t => {
  const { app, project, commit, code } = await openCiProject(t, 'build: {script: make}')
  const visitor = new Visitor(app)

  await visitor.signIn()
  await commit({ a: 'b' }, { branch: 'new/look', start_branch: 'main' })
  t.equal((await code('POST', '/tags', { tag_name: 'v1', ref: 'main' })).status, 201)
  const { body } = await visitor.get(`/projects/${project.id}/pipelines/new`)

  t.match(body, /name="ref"[^>]*list="refs"/)
  t.same([...body.matchAll(/<option value="([^"]+)"><\/option>/g)].map(([, name]) => name).sort(), ['main', 'new/look', 'v1'])
  t.match(body, /id="variables-hint">[^<]+Developer role can read their values/)
})

t.test('a project without commits offers no branch', async t => {
  const { app, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Empty' })
  const visitor = new Visitor(app)

  await visitor.signIn()
  t.match((await visitor.get(`/projects/${project.id}/pipelines/new`)).body, /<datalist id="refs"><\/datalist>/)
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
  const world = await openCiProject(t, 'test: {script: check, artifacts: {paths: [out]}}', { env: { DATA_DIR: t.testdir() } })
  const runner = await aRunner(world)
  const visitor = new Visitor(world.app)

  await world.run()
  const { body: job } = await runner.take()
  const page = async () => (await visitor.get(`/projects/${world.project.id}/jobs/${job.id}`)).body

  await visitor.signIn()
  t.match(await page(), /has no output yet/)
  const log =
    'section_start:1:a\r\u001b[0K\u001b[36;1mBegin\u001b[0;m\r\n10%\r100%\n<script>alert(1)</script>\nsection_end:1:a\r\u001b[0K\n'
  await runner.log(job, 0, log)
  t.match(
    await page(),
    /<details open><summary><span><span class="ansi-6 bold">Begin<\/span><\/span> <span class="hint">0 s<\/span><\/summary><pre>100%\n&#60;script&#62;alert\(1\)&#60;\/script&#62;\n<\/pre><\/details>/
  )
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
  t.match(
    await page(),
    /<pre>one\n<\/pre><details open><summary>.+Heading.+<pre>two\n<\/pre><\/details><pre>Job succeeded\n/,
    'with the times of gitlab-runner'
  )
  await runner.log(job, Buffer.byteLength(log + stamped.join('')), `${'x'.repeat(1023)}\n`.repeat(300))
  const long = await page()
  t.notMatch(long, /Begin/)
  t.match(long, /The last 256 KiB of 300 KiB/)
  await runner.report(job, 'success')
  t.notMatch(await page(), /Reload/)
})

t.test('the stages of a pipeline are columns, whose jobs are canceled, retried and started there', async t => {
  const { app, call, run, project, idOf } = await openCiProject(
    t,
    'stages: [one, two]\nfirst: {stage: one, script: x}\nsecond: {stage: two, script: x, when: manual, needs: []}'
  )
  const visitor = new Visitor(app)
  const pipeline = await run()
  const url = `/projects/${project.id}/pipelines/${pipeline.id}`
  const formActions = (body: string) => [...body.matchAll(/formaction="([^"]+)"[^>]*>(\w+)</g)].map(([, action, label]) => [action, label])
  const button = (id: number, action: string) => `/projects/${project.id}/jobs/${id}/${action}?from=pipeline`
  const [first, second] = [await idOf(pipeline, 'first'), await idOf(pipeline, 'second')]

  await visitor.signIn()
  const { body } = await visitor.get(url)

  t.match(body, /<div class="stages"><section class="stage"><h2>one<[\s\S]+<section class="stage"><h2>two</)
  t.same(formActions(body), [
    [button(first, 'cancel'), 'Cancel'],
    [button(second, 'play'), 'Start']
  ])
  const canceled = await visitor.post(button(first, 'cancel'))
  t.equal(canceled.headers.location, url, 'it leads back to the pipeline')
  t.same(formActions((await visitor.get(url)).body), [
    [button(first, 'retry'), 'Retry'],
    [button(second, 'play'), 'Start']
  ])
  await visitor.post(button(second, 'play'))
  t.equal((await call('GET', `/jobs/${second}`)).body.status, 'pending')
})

t.test('those who may not change jobs see no buttons', async t => {
  const { app, rest, run, project, idOf } = await openCiProject(t, 'build: {script: make}')
  const reporter = await aMember({ app, call: rest }, 'rob')
  const pipeline = await run()

  await rest('POST', `/projects/${project.id}/members`, { user_id: reporter.id, access_level: 20 })
  const { statusCode, body } = await reporter.get(`/projects/${project.id}/pipelines/${pipeline.id}`)

  t.equal(statusCode, 200)
  t.notMatch(body, /formaction|\/cancel"/)
  t.match(body, /None is registered for this project\. A maintainer of the project can add one\./)
  const id = await idOf(pipeline, 'build')
  t.equal((await reporter.post(`/projects/${project.id}/jobs/${id}/cancel?from=pipeline`)).statusCode, 403)
})

t.test('the pages of a pipeline and a job refresh themselves until they are over', async t => {
  const world = await openCiProject(t, 'test: {script: check}', { env: { DATA_DIR: t.testdir() } })
  const runner = await aRunner(world)
  const visitor = new Visitor(world.app)
  const pipeline = await world.run()
  const { body: job } = await runner.take()
  const page = async (path: string) => (await visitor.get(`/projects/${world.project.id}/${path}`)).body
  const pipelinePage = `pipelines/${pipeline.id}`
  const jobPage = `jobs/${job.id}`

  await visitor.signIn()
  t.match(await page(pipelinePage), /<div id="pipeline" data-live="5">/)
  t.match(await page(jobPage), /<div id="job" data-live="5">/)
  await runner.report(job, 'success')
  t.match(await page(pipelinePage), /<div id="pipeline">/)
  t.match(await page(jobPage), /<div id="job">/)
})

t.test('jobs that wait say what no runner is', async t => {
  const config = 'plain: {script: x}\nfast: {script: x, tags: [gpu, <b>]}'
  const world = await openCiProject(t, config)
  const { app, rest, project, run, idOf, commit } = world
  const visitor = new Visitor(app)
  const pipeline = await run()
  const [plain, fast] = [await idOf(pipeline, 'plain'), await idOf(pipeline, 'fast')]
  const root = `/projects/${project.id}`
  const wait = async (path: string) =>
    [...(await visitor.get(`${root}/${path}`)).body.matchAll(/Waiting for a runner\. ([^<]+\.) /g)].map(([, reason]) => reason)
  const set = (settings: object) => rest('PUT', `/runners/${runner.id}`, settings)

  await visitor.signIn()
  t.match((await visitor.get(`${root}/jobs/${plain}`)).body, `<a href="${root}/runners/new">Add a runner</a>`)
  t.same(await wait(`pipelines/${pipeline.id}`), ['None is registered for this project.'], 'once for all jobs')
  const runner = await aRunner(world, { paused: true })

  t.same(await wait(`jobs/${plain}`), ['All are paused.'])
  t.match((await visitor.get(`${root}/jobs/${plain}`)).body, `<a href="${root}/runners">Runners</a>`)
  await set({ paused: false })
  t.same(await wait(`jobs/${plain}`), ['None that can run it is online.'])
  t.same(await wait(`jobs/${fast}`), ['None has the tags gpu, &#60;b&#62;.'])
  t.equal((await wait(`pipelines/${pipeline.id}`)).length, 2)
  await set({ tag_list: ['gpu', '<b>'], run_untagged: false })
  t.same(await wait(`jobs/${plain}`), ['None runs jobs without tags.'])
  t.same(await wait(`jobs/${fast}`), ['None that can run it is online.'])
  await set({ run_untagged: true, access_level: 'ref_protected' })
  await commit({ a: 'b' }, { branch: 'other', start_branch: 'main' })
  const other = await run({ ref: 'other' })
  t.same(await wait(`jobs/${await idOf(other, 'plain')}`), ['None runs jobs outside the default branch.'])
  await app.platform.pool.query('UPDATE ci_runners SET contacted_at = now() WHERE id = $1', [runner.id])
  t.same(await wait(`jobs/${plain}`), ['It starts when one is free.'])
  await runner.take()
  t.same(await wait(`jobs/${plain}`), [], 'it runs')
})
