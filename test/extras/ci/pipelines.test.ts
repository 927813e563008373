import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { Job } from '#extras/ci/jobs/job.ts'
import { startDelayedJobs } from '#extras/ci/jobs/start-delayed-jobs.ts'
import { advanceJobs } from '#extras/ci/pipelines/advance-jobs.ts'
import { Pipeline } from '#extras/ci/pipelines/pipeline.ts'
import { changeJobs } from '#extras/ci/pipelines/process-pipeline.ts'
import { statusOfJobs } from '#extras/ci/pipelines/status-of-jobs.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { rootToken } from '../../support/world.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

const config = [
  'stages: [build, test, deploy]',
  'compile: {stage: build, script: make}',
  'quick: {stage: test, script: check, needs: []}',
  'unit: {stage: test, script: test, rules: [{if: $SKIP, when: never}, {when: on_success}]}',
  'clean: {stage: test, script: clean, when: on_failure}',
  'ship: {stage: deploy, script: ship, when: manual}',
  'report: {stage: .post, script: report, when: always}'
].join('\n')

t.test('a pipeline has the jobs of the configuration, and its first jobs are pending', async t => {
  const { call, run, statuses, project } = await openCiProject(t, config)
  const pipeline = await run({ variables: [{ key: 'WHO', value: 'me' }] })

  t.hasStrict(pipeline, { iid: 1, project_id: project.id, ref: 'main', tag: false, source: 'api', status: 'pending', yaml_errors: null })
  t.hasStrict(pipeline.user, { username: 'root' })
  hasExactly(t, await statuses(pipeline), {
    compile: 'pending',
    quick: 'pending',
    unit: 'created',
    clean: 'created',
    ship: 'created',
    report: 'created'
  })
  t.same(Object.keys(await statuses(await run({ variables: { SKIP: '1' } }))).includes('unit'), false)
  hasExactly(t, (await call('GET', `/pipelines/${pipeline.id}/variables`)).body, [
    { key: 'WHO', value: 'me', variable_type: 'env_var', raw: false }
  ])
  t.hasStrict((await call('GET', '/pipelines/latest')).body, { iid: 2 })
  t.same(
    (await call('GET', '/pipelines?status=pending&sort=asc')).body.map(({ iid }: { iid: number }) => iid),
    [1, 2]
  )
  t.same((await call('GET', '/pipelines?scope=tags')).body, [])
})

t.test('a commit names its last pipeline, whose times are whole seconds', async t => {
  const { call, run, code, platform } = await openCiProject(t, 'a: {script: x}')
  const commit = async () => (await code('GET', '/commits/main')).body

  t.hasStrict(await commit(), { status: null, last_pipeline: null })
  await run()
  const last = await run()
  const { id, sha, web_url: webUrl } = last
  t.hasStrict(await commit(), { status: 'pending', last_pipeline: { id, sha, ref: 'main', status: 'pending', web_url: webUrl } })
  const at = (seconds: number) => new Date(Date.parse(last.created_at) + seconds * 1000)
  await platform.fork().nativeUpdate(Pipeline, { id }, { startedAt: at(1.5), finishedAt: at(4.25) })
  t.hasStrict((await call('GET', `/pipelines/${id}`)).body, { duration: 2, queued_duration: 1 })
})

t.test('a pipeline that cannot be made says why', async t => {
  const { call, commit } = await openCiProject(t, 'a: {}')
  const create = (body: object) => call('POST', '/pipeline', body)

  t.hasStrict(await create({}), { status: 400, body: { error: 'ref is missing' } })
  t.hasStrict(await create({ ref: 'no' }), { status: 400, body: { message: { base: ['Reference not found'] } } })
  t.hasStrict(await create({ ref: 'main' }), {
    status: 400,
    body: { message: { base: ['jobs a config should implement the script:, run:, or trigger: keyword'] } }
  })
  t.hasStrict(await create({ ref: 'main', inputs: { x: 'y' } }), {
    status: 400,
    body: { error: 'inputs are not supported: give variables instead' }
  })
  await commit({ '.gitlab-ci.yml': 'a: {trigger: other}' })
  t.same((await create({ ref: 'main' })).body.message.base, ['jobs:a:trigger is not supported: no pipeline with this job can be made'])
  await commit({ '.gitlab-ci.yml': 'a: {script: x, only: [tags]}' })
  t.match((await create({ ref: 'main' })).body.message.base[0], /would have been empty/)
  await commit({ '.gitlab-ci.yml': null })
  t.hasStrict(await create({ ref: 'main' }), { status: 400, body: { message: { base: ['Missing CI config file'] } } })
  t.hasStrict(await create({ ref: 'main', variables: [{ key: 'a b', value: 'x' }] }), { status: 400 })
  t.same((await call('GET', '/pipelines')).body, [])
})

t.test('a pipeline has the name of its workflow, with variables expanded, and is found by it', async t => {
  const world = await openCiProject(
    t,
    [
      'variables: {KIND: nightly}',
      `workflow: {name: "$KIND \${WHO} of $CI_COMMIT_BRANCH $NONE", rules: [{if: $RULE, variables: {KIND: by rule}}, {when: always}]}`,
      'a: {script: x}'
    ].join('\n')
  )
  const { call, run, commit } = world
  const named = await run({ variables: [{ key: 'WHO', value: 'build' }] })
  const byRule = await run({ variables: [{ key: 'RULE', value: '1' }] })
  const list = async (query: string) => (await call('GET', `/pipelines?${query}`)).body.map(({ id }: { id: number }) => id)

  t.equal(named.name, 'nightly build of main')
  t.equal(byRule.name, 'by rule  of main')
  t.same(await list('name=nightly%20build%20of%20main'), [named.id])
  t.same(await list('name=nightly'), [])
  t.same(await list('name='), [byRule.id, named.id])
  const runner = await aRunner(world)
  const { body: work } = await runner.take()
  t.equal(work.variables.find(({ key }: { key: string }) => key === 'CI_PIPELINE_NAME').value, 'nightly build of main')

  t.hasStrict(await call('POST', '/pipeline', { ref: 'main', variables: [{ key: 'WHO', value: 'x'.repeat(250) }] }), {
    status: 400,
    body: { message: { base: ['workflow:name is longer than 255 characters when its variables are expanded'] } }
  })
  await commit({ '.gitlab-ci.yml': 'workflow: {name: $NONE}\na: {script: x}' })
  t.equal((await run()).name, null)
})

t.test('canceling ends every job, retrying runs them again as new jobs', async t => {
  const { call, run, statuses, jobsOf, idOf } = await openCiProject(t, config)
  const pipeline = await run()

  t.hasStrict(await call('POST', `/pipelines/${pipeline.id}/cancel`), { status: 200, body: { status: 'canceled' } })
  t.same([...new Set(Object.values(await statuses(pipeline)))], ['canceled'])
  t.hasStrict(await call('POST', `/pipelines/${pipeline.id}/cancel`), { status: 200, body: { status: 'canceled' } })
  const { body: retried } = await call('POST', `/pipelines/${pipeline.id}/retry`)
  t.equal(retried.status, 'pending')
  t.equal((await jobsOf(pipeline)).length, 6)
  t.equal((await call('GET', `/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100`)).body.length, 12)

  const id = await idOf(pipeline, 'compile')
  t.hasStrict(await call('POST', `/jobs/${id}/retry`), { status: 403, body: { message: '403 Forbidden - Job is not retryable' } })
  t.hasStrict(await call('POST', `/jobs/${id}/play`, {}), { status: 400, body: { message: '400 Bad request - Unplayable Job' } })
  t.hasStrict(await call('POST', `/jobs/${id}/cancel`), { status: 201, body: { status: 'canceled' } })
  const { body: again } = await call('POST', `/jobs/${id}/retry`)
  t.hasStrict(again, { name: 'compile', status: 'pending' })
  t.not(again.id, id)
  t.hasStrict(await call('POST', `/jobs/${id}/retry`), { status: 403 })
})

t.test('of retries at the same time, one makes a job', async t => {
  const { call, run, idOf, jobsOf } = await openCiProject(t, 'a: {script: x}')
  const pipeline = await run()
  const id = await idOf(pipeline, 'a')

  await call('POST', `/jobs/${id}/cancel`)
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `/jobs/${id}/retry`)))
  t.same(answers.map(({ status }) => status).sort(), [201, 403, 403, 403, 403, 403, 403, 403])
  t.equal((await jobsOf(pipeline)).length, 1)
})

t.test('jobs are listed by keyset, each once, while others come', async t => {
  const { call, run } = await openCiProject(t, 'a: {script: x, parallel: 7}')
  const names: string[] = []

  await run()
  let url = '/jobs?pagination=keyset&order_by=id&sort=desc&per_page=2'
  for (;;) {
    const { body, headers } = await call('GET', url)
    const [, next] = /<[^>]*\/projects\/\d+(\/jobs[^>]*)>; rel="next"/.exec(String(headers.link ?? '')) ?? []

    names.push(...body.map(({ name }: { name: string }) => name))
    await run()
    if (!next) break
    url = next
  }
  t.same(names, ['a 7/7', 'a 6/7', 'a 5/7', 'a 4/7', 'a 3/7', 'a 2/7', 'a 1/7'])
  t.equal((await call('GET', '/jobs?pagination=keyset&order_by=id&sort=asc')).status, 405)
  t.equal((await call('GET', '/jobs?scope[]=manual')).body.length, 0)
  t.equal((await call('GET', '/jobs?scope[]=nonsense')).status, 400)
})

t.test('owners delete a pipeline with its jobs', async t => {
  const { call, run, idOf } = await openCiProject(t, 'a: {script: x}')
  const pipeline = await run()
  const id = await idOf(pipeline, 'a')

  t.equal((await call('DELETE', `/pipelines/${pipeline.id}`)).status, 204)
  t.equal((await call('GET', `/pipelines/${pipeline.id}`)).status, 404)
  t.equal((await call('GET', `/jobs/${id}`)).status, 404)
  t.equal((await call('DELETE', `/pipelines/${pipeline.id}`)).status, 404)
})

t.test('a client made for GitLab runs pipelines unchanged', async t => {
  const { app, config: settings, project } = await openCiProject(t, config)
  const host = await listen(app)

  settings.baseUrl = host
  const { Pipelines, Jobs } = new Gitlab({ host, token: rootToken })
  const { id } = await Pipelines.create(project.id, 'main', { variables: [{ key: 'A', value: 'b' }] })
  const jobs = await Jobs.all(project.id, { pipelineId: id })

  t.equal(jobs.length, 6)
  t.hasStrict(await Pipelines.show(project.id, id), { status: 'pending' })
  t.hasStrict(await Pipelines.allVariables(project.id, id), [{ key: 'A', value: 'b' }])
  t.hasStrict(await Jobs.cancel(project.id, jobs[0]!.id), { status: 'canceled' })
  t.equal((await Jobs.all(project.id, { scope: 'canceled' })).length, 1)
  t.hasStrict(await Pipelines.cancel(project.id, id), { status: 'canceled' })
  t.hasStrict(await Pipelines.retry(project.id, id), { status: 'pending' })
  await Pipelines.remove(project.id, id)
  t.same(await Pipelines.all(project.id), [])
})

t.test('jobs start when those before them have ended', async t => {
  const at = new Date('2026-11-23T00:00:00Z')
  const cases: [jobs: string[], expected: string[], pipeline: string][] = [
    // name, stage, status, when, and what it needs; `?` may fail.
    [['a 0 success', 'b 1 created'], ['success', 'pending'], 'running'],
    [['a 0 running', 'b 1 created'], ['running', 'created'], 'running'],
    [['a 0 failed', 'b 1 created', 'c 1 created on_failure', 'd 2 created always'], ['failed', 'skipped', 'pending', 'created'], 'running'],
    [['a? 0 failed', 'b 1 created', 'c 1 created on_failure'], ['failed', 'pending', 'skipped'], 'running'],
    [['a 0 failed', 'b 1 created'], ['failed', 'skipped'], 'failed'],
    [['a? 0 failed'], ['failed'], 'success'],
    [['a 0 canceled', 'b 1 created'], ['canceled', 'skipped'], 'canceled'],
    [['a 0 success', 'b 1 created manual', 'c 2 created'], ['success', 'manual', 'created'], 'manual'],
    [['a 0 success', 'b? 1 created manual', 'c 2 created'], ['success', 'manual', 'pending'], 'running'],
    [['a 0 created', 'b 1 created - a'], ['pending', 'created'], 'pending'],
    [['a 0 success', 'x 0 running', 'b 1 created - a', 'c 1 created'], ['success', 'running', 'pending', 'created'], 'running'],
    [['a? 0 manual', 'b 1 created - a'], ['manual', 'skipped'], 'skipped'],
    [['a 0 success', 'b 1 created delayed'], ['success', 'scheduled'], 'scheduled'],
    [['a 0 skipped', 'b 1 created'], ['skipped', 'pending'], 'pending'],
    [['c 0 created - b', 'b 0 created - a', 'a 0 failed'], ['skipped', 'skipped', 'failed'], 'failed'],
    [['a 0 success', 'b 1 success'], ['success', 'success'], 'success']
  ]

  for (const [given, expected, pipeline] of cases) {
    const jobs = given.map(toJob)

    advanceJobs(jobs, at)
    t.same([jobs.map(({ status }) => status), statusOfJobs(jobs)], [expected, pipeline], given.join(', '))
    advanceJobs(jobs, at)
    t.same(
      jobs.map(({ status }) => status),
      expected,
      `${given.join(', ')}, twice`
    )
  }
})

t.test('a pipeline as large as may be, its jobs in the worst order, is advanced in one pass', async t => {
  const count = 2000
  const after = (n: number) => Array.from({ length: Math.min(50, count - 1 - n) }, (_, m) => `j${n + 1 + m}`).join(' ')
  const jobs = Array.from({ length: count }, (_, n) => toJob(n === count - 1 ? `j${n} 0 failed` : `j${n} 0 created - ${after(n)}`))

  advanceJobs(jobs, new Date())
  t.equal(jobs.filter(({ status }) => status === 'skipped').length, count - 1)
})

function toJob(text: string) {
  const [name = '', stage, status, startWhen = 'on_success', ...needs] = text.split(' ')
  const job = Object.create(Job.prototype)

  return Object.assign(job, {
    base: name.replace('?', ''),
    name: name.replace('?', ''),
    allowFailure: name.endsWith('?'),
    stageIndex: Number(stage),
    status,
    startWhen: startWhen === '-' ? 'on_success' : startWhen,
    needs: needs.length > 0 ? needs.map(job => ({ job, artifacts: true, optional: false })) : null,
    keywords: { start_in: '5 minutes' }
  }) as Job
}

t.test('a job can need one job of those that run in parallel, and depend on it', async t => {
  const world = await openCiProject(
    t,
    [
      'build: {stage: build, script: x, parallel: {matrix: [{OS: [linux, mac], CPU: [amd64, arm64]}]}}',
      'split: {stage: build, script: x, parallel: 2}',
      "one: {script: x, needs: ['build: [linux, arm64]'], dependencies: ['build: [linux, arm64]']}",
      'first: {script: x, needs: [split 1/2]}',
      'some: {script: x, needs: [{job: build, parallel: {matrix: [{OS: mac, CPU: [amd64, arm64]}]}}]}',
      'chosen: {script: x, rules: [{needs: [split 2/2]}]}',
      'all: {script: x, needs: [build], dependencies: ["build: [mac, arm64]"]}'
    ].join('\n')
  )
  const pipeline = await world.run()
  const succeed = async (...names: string[]) => {
    for (const name of names) {
      const id = await world.idOf(pipeline, name)
      await changeJobs(world.platform.fork(), pipeline.id, new Date(), jobs => {
        Object.assign(jobs.find(job => job.id === id)!, { status: 'success' })
      })
    }
    const { one, first, some, chosen, all } = await world.statuses(pipeline)

    return { one, first, some, chosen, all }
  }
  const [created, pending] = ['created', 'pending']

  hasExactly(t, await succeed('build: [linux, amd64]'), { one: created, first: created, some: created, chosen: created, all: created })
  hasExactly(t, await succeed('build: [linux, arm64]'), { one: pending, first: created, some: created, chosen: created, all: created })
  hasExactly(t, await succeed('split 1/2', 'build: [mac, amd64]'), {
    one: pending,
    first: pending,
    some: created,
    chosen: created,
    all: created
  })
  hasExactly(t, await succeed('build: [mac, arm64]'), { one: pending, first: pending, some: pending, chosen: created, all: pending })
  hasExactly(t, await succeed('split 2/2'), { one: pending, first: pending, some: pending, chosen: pending, all: pending })
})

t.test('a delayed job starts when its time has come', async t => {
  const { run, statuses, platform } = await openCiProject(
    t,
    'later: {script: echo, when: delayed, start_in: 1 hour}\nnext: {script: echo, stage: deploy}'
  )
  const pipeline = await run()
  const { signal } = new AbortController()
  const minutesAhead = (minutes: number) => new Date(Date.now() + minutes * 60_000)

  await startDelayedJobs(platform.fork, minutesAhead(59), signal)
  hasExactly(t, await statuses(pipeline), { later: 'scheduled', next: 'created' })
  await startDelayedJobs(platform.fork, minutesAhead(61), signal)
  hasExactly(t, await statuses(pipeline), { later: 'pending', next: 'created' })
})

t.test('the seconds of a pipeline are integers, which clients require', async t => {
  const { call, run, platform } = await openCiProject(t, config)
  const { id } = await run()

  await platform.pool.query(
    "UPDATE ci_pipelines SET started_at = created_at + interval '1.7 s', finished_at = created_at + interval '4.1 s'"
  )
  t.hasStrict((await call('GET', `/pipelines/${id}`)).body, { queued_duration: 1, duration: 2 })
})
