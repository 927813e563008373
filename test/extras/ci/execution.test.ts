import t, { type Test } from 'tap'
import { endLostJobs } from '#extras/ci/execution/end-lost-jobs.ts'
import { aPerson } from '../../identity/people.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

async function openRunnerAtWork(t: Test, config: string, more: object = {}) {
  const world = await openCiProject(t, config)

  return { ...world, runner: await aRunner(world, more) }
}

t.test('a runner takes a job with all that it needs', async t => {
  const { run, runner, project, call } = await openRunnerAtWork(
    t,
    `
variables: {WHO: all, GIT_DEPTH: 5}
default:
  image: {name: alpine, entrypoint: ['']}
  before_script: [echo before]
build:
  script: [make, [make check]]
  after_script: [echo after]
  services: [{name: redis, alias: cache}]
  timeout: 30 minutes
  variables: {WHO: me}
  artifacts: {paths: [out/], expire_in: 1 week, reports: {junit: r.xml}}
  cache: {key: k, paths: [node_modules]}
`
  )
  t.equal((await runner.take()).status, 204)
  const pipeline = await run({ variables: [{ key: 'MODE', value: 'fast' }] })
  const { status, body: job } = await runner.take({ name: 'gitlab-runner', version: '18.0.0' })
  const variable = (key: string) => job.variables.findLast((variable: { key: string }) => variable.key === key)?.value

  t.equal(status, 201)
  t.match(job.token, /^glcbt-/)
  t.hasStrict(job, {
    job_info: { name: 'build', stage: 'test', project_id: project.id, pipeline_id: pipeline.id },
    git_info: { sha: pipeline.sha, ref: 'main', ref_type: 'branch', depth: 5 },
    runner_info: { timeout: 1800 },
    steps: [
      { name: 'script', script: ['echo before', 'make', 'make check'], when: 'on_success' },
      { name: 'after_script', script: ['echo after'], when: 'always', allow_failure: true }
    ],
    image: { name: 'alpine', entrypoint: [''] },
    services: [{ name: 'redis', alias: 'cache' }],
    artifacts: [
      { paths: ['out/'], expire_in: '1 week', artifact_type: 'archive', artifact_format: 'zip' },
      { name: 'junit.xml', paths: ['r.xml'], artifact_type: 'junit', artifact_format: 'gzip', when: 'always' }
    ],
    cache: [{ key: 'k-protected', paths: ['node_modules'], policy: 'pull-push' }]
  })
  t.match(job.git_info.repo_url, new RegExp(`//gitlab-ci-token:${job.token}@.*/root/shop.git$`))
  t.match(job.git_info.refspecs[0], new RegExp(`^\\+${pipeline.sha}:`))
  t.same(['WHO', 'MODE', 'CI_JOB_NAME', 'CI_COMMIT_SHA', 'CI_JOB_TOKEN', 'GITLAB_USER_LOGIN'].map(variable), [
    'me',
    'fast',
    'build',
    pipeline.sha,
    job.token,
    'root'
  ])
  t.equal(job.variables.find((variable: { key: string }) => variable.key === 'CI_JOB_TOKEN').masked, true)
  t.equal(variable('CI_JOB_STATUS'), undefined, 'the runner knows better')
  t.hasStrict((await call('GET', `/jobs/${job.id}`)).body, { status: 'running', runner: { id: runner.id } })
  t.equal((await runner.take()).status, 204, 'no other job')
})

t.test('a job runs, its log is read back, and its pipeline goes on', async t => {
  const { run, runner, call, statuses } = await openRunnerAtWork(
    t,
    'stages: [a, b]\nfirst: {stage: a, script: x}\nsecond: {stage: b, script: y}'
  )
  const pipeline = await run()
  const { body: job } = await runner.take()

  t.hasStrict(await runner.log(job, 0, 'Hällo '), { status: 202, headers: { range: '0-7', 'job-status': 'running' } })
  t.hasStrict(await runner.log(job, 0, 'Hällo '), { status: 416, headers: { range: '0-7' } })
  t.hasStrict(await runner.log(job, 9, 'x'), { status: 416, headers: { range: '0-7' } })
  const patch = (range: string, text: string) =>
    runner.send('PATCH', `/jobs/${job.id}/trace`, text, { 'job-token': job.token, 'content-type': 'text/plain', 'content-range': range })
  t.hasStrict(await patch('7-2', 'x'), { status: 416, headers: { range: '0-7' } })
  t.hasStrict(await patch('7-6', 'x'), { status: 416, headers: { range: '0-7' } })
  t.equal((await patch('7', 'x')).status, 400)
  t.hasStrict(await runner.report(job, 'running'), { status: 200, headers: { 'job-status': 'running' } })
  t.hasStrict(await runner.report(job, 'success', { output: { bytesize: 12 } }), { status: 412 })
  t.equal((await runner.log(job, 7, 'world')).status, 202)
  const { body, headers } = await call('GET', `/jobs/${job.id}/trace`)

  t.equal(body, 'Hällo world')
  t.hasStrict(
    headers,
    { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" },
    'a browser runs nothing of it'
  )
  t.equal((await runner.report(job, 'success', { output: { checksum: 'crc32:0', bytesize: 12 } })).status, 200)
  t.same(await statuses(pipeline), { first: 'success', second: 'pending' })
  t.hasStrict(await runner.log(job, 12, 'late'), { status: 403, headers: { 'job-status': 'success' } })

  const { body: next } = await runner.take()
  t.equal((await runner.report(next, 'failed', { failure_reason: 'script_failure', exit_code: 3 })).status, 200)
  t.hasStrict((await call('GET', `/jobs/${next.id}`)).body, { status: 'failed', failure_reason: 'script_failure' })
  t.equal((await call('GET', `/pipelines/${pipeline.id}`)).body.status, 'failed')
})

t.test('a job token is valid while its job runs', async t => {
  const { run, runner, app } = await openRunnerAtWork(t, 'a: {script: x}')
  const ask = async (token: string) => (await app.inject({ url: '/api/v4/job', headers: { 'job-token': token } })).statusCode

  await run()
  const { body: job } = await runner.take()
  t.equal(await ask(job.token), 200)
  t.equal(await ask('glcbt-no'), 401)
  t.equal((await runner.send('PUT', `/jobs/${job.id}`, { token: 'glcbt-no', state: 'success' })).status, 403)
  t.equal((await runner.send('PUT', '/jobs/999999', { token: job.token, state: 'success' })).status, 403)
  await runner.report(job, 'success')
  t.equal(await ask(job.token), 401)
})

t.test('the runner of a canceled job is told', async t => {
  const { run, runner, call } = await openRunnerAtWork(t, 'a: {script: x}')
  await run()
  const { body: job } = await runner.take()

  await call('POST', `/jobs/${job.id}/cancel`)
  t.hasStrict(await runner.log(job, 0, 'x'), { status: 403, headers: { 'job-status': 'canceled' } })
  t.hasStrict(await runner.report(job, 'success'), { status: 403, headers: { 'job-status': 'canceled' } })
  t.equal((await call('GET', `/jobs/${job.id}`)).body.status, 'canceled')
})

t.test('runners take only jobs with their tags', async t => {
  const { run, runner, rest } = await openRunnerAtWork(t, 'plain: {script: x}\ntagged: {script: x, tags: [big, linux]}', {
    tag_list: ['linux'],
    run_untagged: false
  })
  await run()
  t.equal((await runner.take()).status, 204)
  await rest('PUT', `/runners/${runner.id}`, { tag_list: ['linux', 'big', 'arm'] })
  t.equal((await runner.take()).body.job_info.name, 'tagged')
  t.equal((await runner.take()).status, 204)
  await rest('PUT', `/runners/${runner.id}`, { run_untagged: true, paused: true })
  t.equal((await runner.take()).status, 204)
  await rest('PUT', `/runners/${runner.id}`, { paused: false })
  t.equal((await runner.take()).body.job_info.name, 'plain')
})

t.test('a job is taken once, by however many runners', async t => {
  const { run, runner } = await openRunnerAtWork(t, 'a: {script: x, parallel: 6}')
  await run()
  const answers = await Promise.all(Array.from({ length: 12 }, () => runner.take()))
  const more = await Promise.all(Array.from({ length: 6 }, () => runner.take()))
  const ids = [...answers, ...more].filter(({ status }) => status === 201).map(({ body }) => body.id)

  t.equal(ids.length, 6)
  t.equal(new Set(ids).size, 6)
  t.equal(
    [...answers, ...more].every(({ status }) => [201, 204, 409].includes(status)),
    true
  )
})

t.test('failed jobs are retried as often as they say, for the reasons that they name', async t => {
  const { run, runner, jobsOf, call } = await openRunnerAtWork(
    t,
    'twice: {script: x, retry: 2}\nsystem: {script: x, retry: {max: 1, when: runner_system_failure}}\nallowed: {script: x, allow_failure: {exit_codes: [42]}}'
  )
  const pipeline = await run()
  const fail = async () => {
    const { status, body: job } = await runner.take()

    if (status !== 201) return false
    const isAllowed = job.job_info.name === 'allowed'
    await runner.report(job, 'failed', { failure_reason: 'script_failure', exit_code: isAllowed ? 42 : 1 })

    return true
  }

  while (await fail());
  const all = (await call('GET', `/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100`)).body
  const count = (name: string) => all.filter((job: { name: string }) => job.name === name).length

  t.same(['twice', 'system', 'allowed'].map(count), [3, 1, 1])
  t.equal((await jobsOf(pipeline)).find(({ name }) => name === 'allowed')!.allow_failure, true)
})

t.test('jobs whose runner is gone fail, and those that no runner takes', async t => {
  const { run, runner, platform, statuses } = await openRunnerAtWork(t, 'a: {script: x}\nb: {script: x, tags: [none]}')
  const pipeline = await run()
  await runner.take()
  const after = (hours: number) => endLostJobs(platform.fork, new Date(Date.now() + hours * 3600_000), new AbortController().signal)

  await after(0.9)
  t.same(await statuses(pipeline), { a: 'running', b: 'pending' })
  await after(1.1)
  t.same(await statuses(pipeline), { a: 'failed', b: 'pending' })
  await after(25)
  t.same(await statuses(pipeline), { a: 'failed', b: 'failed' })
})

t.test('a log that is too long ends its job', async t => {
  const { run, runner, call } = await openRunnerAtWork(t, 'a: {script: x}')
  await run()
  const { body: job } = await runner.take()
  const part = 'x'.repeat(4_000_000)

  for (let at = 0; at < 5; at++) t.equal((await runner.log(job, at * part.length, part)).status, 202)
  t.hasStrict(await runner.log(job, 5 * part.length, part), { status: 403, headers: { 'job-status': 'failed' } })
  t.hasStrict((await call('GET', `/jobs/${job.id}`)).body, { status: 'failed', failure_reason: 'trace_size_exceeded' })
})

t.test('the log of a job can be erased', async t => {
  const { run, runner, call } = await openRunnerAtWork(t, 'a: {script: x}')
  await run()
  const { body: job } = await runner.take()

  await runner.log(job, 0, 'secret')
  t.hasStrict(await call('POST', `/jobs/${job.id}/erase`), { status: 403, body: { message: '403 Forbidden - Job is not erasable!' } })
  await runner.report(job, 'success')
  const { status, body } = await call('POST', `/jobs/${job.id}/erase`)
  t.equal(status, 201)
  t.ok(body.erased_at)
  t.equal((await call('GET', `/jobs/${job.id}/trace`)).body, undefined)
})

t.test('developers delete what their own jobs left, outside of the default branch', async t => {
  const { runner, call, code, rest, project } = await openRunnerAtWork(t, 'a: {script: x}')
  const ann = await aPerson(rest, 'ann')

  await rest('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await code('POST', '/branches', { branch: 'fix', ref: 'main' })
  const ended = async (ref: string, token?: string) => {
    await call('POST', '/pipeline', { ref }, token)
    const { body: job } = await runner.take()

    await runner.report(job, 'success')

    return job.id as number
  }
  const [ofRoot, onMain, own] = [await ended('fix'), await ended('main', ann.token), await ended('fix', ann.token)]

  for (const [job, status] of [
    [ofRoot, 403],
    [onMain, 403],
    [own, 201]
  ]) {
    t.equal((await call('DELETE', `/jobs/${job}/artifacts`, undefined, ann.token)).status, status === 403 ? 403 : 204)
    t.equal((await call('POST', `/jobs/${job}/erase`, {}, ann.token)).status, status)
  }
  t.equal((await call('POST', `/jobs/${ofRoot}/erase`)).status, 201, 'maintainers delete all')
})

t.test('variables of a pipeline are in its logs, and a runner reports no status that does not exist', async t => {
  const { run, runner } = await openRunnerAtWork(t, 'a: {script: x}')

  await run({ variables: [{ key: 'TARGET', value: 'production' }] })
  const { body: job } = await runner.take()

  t.hasStrict(
    job.variables.find((variable: { key: string }) => variable.key === 'TARGET'),
    { value: 'production', masked: false, public: false }
  )
  t.hasStrict(await runner.report(job, 'bogus'), { status: 400, body: { error: 'state does not have a valid value' } })
})

t.test('a pipeline begins with its first job', async t => {
  const { run, runner, call } = await openRunnerAtWork(t, 'a: {script: x}\nb: {script: x, when: delayed, start_in: 1 hour}')
  const { id, started_at: startedAt } = await run()
  const { body: job } = await runner.take()
  const { body: running } = await call('GET', `/pipelines/${id}`)

  t.equal(startedAt, null)
  t.hasStrict((await call('GET', `/jobs/${job.id}`)).body, { started_at: running.started_at })
})

t.test('variables of the workflow rule that matches are in jobs, unless they have their own or inherit none', async t => {
  const { run, app, rest, project } = await openCiProject(
    t,
    [
      'variables: {WHO: all}',
      'workflow: {rules: [{if: $CI_COMMIT_BRANCH, variables: {WHO: workflow}}]}',
      'usual: {script: x}',
      'own: {script: x, variables: {WHO: own}}',
      'none: {script: x, inherit: {variables: false}}'
    ].join('\n')
  )
  const runner = await aRunner({ app, rest, project })
  const given: Record<string, string | undefined> = {}

  await run()
  for (let n = 0; n < 3; n++) {
    const { body: job } = await runner.take()

    given[job.job_info.name] = job.variables.findLast(({ key }: { key: string }) => key === 'WHO')?.value
  }
  t.same(given, { usual: 'workflow', own: 'own', none: undefined })
})

t.test('keys of caches change with the content of their files, and other branches have caches of their own', async t => {
  const { run, runner, commit } = await openRunnerAtWork(
    t,
    [
      'a: {script: x, cache: [{key: {files: [a.lock, none], prefix: $CI_JOB_NAME}, paths: [x]}, {key: plain, fallback_keys: [old], paths: [y]}]}',
      'b: {script: x, cache: {key: {files: ["**/b.lock"]}, paths: [x]}}',
      'c: {script: x, cache: {key: {files: [none]}, paths: [x], unprotect: true}}'
    ].join('\n')
  )
  const keys = async (ref: string) => {
    await run({ ref })
    const jobs = [await runner.take(), await runner.take(), await runner.take()]

    return jobs.flatMap(({ body }) => body.cache.map(({ key }: { key: string }) => key)) as string[]
  }

  await commit({ 'a.lock': 'one', 'deep/b.lock': 'one' })
  const [a, plain, b, c] = await keys('main')
  t.match(a, /^\$CI_JOB_NAME-[0-9a-f]{40}-protected$/)
  t.match(b, /^[0-9a-f]{40}-protected$/)
  t.same([plain, c], ['plain-protected', 'default-non_protected'])
  await commit({ 'a.lock': 'two', other: 'x' })
  const changed = await keys('main')
  t.not(changed[0], a)
  t.equal(changed[2], b)
  await commit({ 'a.lock': 'one' }, { branch: 'feature', start_branch: 'main' })
  t.same(
    await keys('feature'),
    [a, plain, b, c].map(key => key!.replace(/-protected$/, '-non_protected')),
    'the same content, the same key'
  )
})
