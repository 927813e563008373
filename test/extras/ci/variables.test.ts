import t, { type Test } from 'tap'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

const config = `
variables: {PLACE: configuration}
plain: {script: x}
deploy: {script: x, stage: deploy, needs: [], environment: {name: review/$CI_COMMIT_REF_SLUG}}
`

/** A CI project in a subgroup, with a runner. */
async function openGroupProject(t: Test, more = config) {
  const world = await openCiProject(t, more)
  const { rest, project } = world
  const { body: group } = await rest('POST', '/groups', { name: 'Town', path: 'town' })
  const { body: subgroup } = await rest('POST', '/groups', { name: 'Street', path: 'street', parent_id: group.id })

  await rest('PUT', `/projects/${project.id}/transfer`, { namespace: subgroup.id })
  const places = {
    system: '/admin/ci/variables',
    group: `/groups/${group.id}/variables`,
    subgroup: `/groups/${subgroup.id}/variables`,
    project: `/projects/${project.id}/variables`
  }
  const set = async (place: keyof typeof places, key: string, value: string, more: object = {}) => {
    const { status, body } = await rest('POST', places[place], { key, value, ...more })

    if (status !== 201) throw new Error(JSON.stringify(body))
  }

  return { ...world, places, set, runner: await aRunner(world) }
}

interface Sent {
  key: string
  value: string
}

/** What the runner is sent of a variable; the last of several counts. */
function sent({ body }: { body: { variables: Sent[] } }, key: string) {
  return body.variables.findLast(variable => variable.key === key)
}

for (const [place, path] of Object.entries({
  project: '/projects/:id/variables',
  group: '/groups/:id/variables',
  installation: '/admin/ci/variables'
})) {
  t.test(`variables of a ${place} are created, listed, changed and deleted`, async t => {
    const { rest, project } = await openCiProject(t, config)
    const { body: group } = await rest('POST', '/groups', { name: 'Town', path: 'town' })
    const url = path.replace(':id', String(place === 'project' ? project.id : group.id))
    const scope = place === 'installation' ? {} : { environment_scope: '*' }
    const shown = { variable_type: 'env_var', key: 'TOKEN', value: 'a secret', hidden: false, protected: false, masked: false, raw: false }
    const created = await rest('POST', url, { key: 'TOKEN', value: 'a secret', environment_scope: '*' })

    t.strictSame([created.status, created.body], [201, { ...shown, description: null, ...scope }])
    t.strictSame((await rest('GET', url)).body, [created.body])
    t.strictSame((await rest('GET', `${url}/TOKEN`)).body, created.body)
    t.hasStrict(
      (await rest('PUT', `${url}/TOKEN`, { value: 'another-one', masked: true, raw: true, protected: true, variable_type: 'file' })).body,
      { value: 'another-one', masked: true, raw: true, protected: true, variable_type: 'file' }
    )
    t.same((await rest('DELETE', `${url}/TOKEN`)).status, 204)
    t.strictSame((await rest('GET', `${url}/TOKEN`)).body, { message: '404 Variable Not Found' })
  })
}

t.test('a variable that cannot be kept is refused with the reason', async t => {
  const { call } = await openCiProject(t, config)
  const refusal = async (body: object) => {
    const { status, body: answer } = await call('POST', '/variables', body)

    return [status, answer]
  }

  await call('POST', '/variables', { key: 'A', value: 'x' })
  t.strictSame(await refusal({ key: 'A', value: 'y' }), [400, { message: { key: ['(A) has already been taken'] } }])
  t.strictSame(await refusal({ value: 'y' }), [400, { error: 'key is missing', message: 'key is missing' }])
  t.strictSame(await refusal({ key: 'B-C', value: 'y' }), [400, { error: 'key is invalid', message: { key: ['is invalid'] } }])
  for (const value of ['short', 'has spaces in it', 'two\nlines'])
    t.match(await refusal({ key: 'B', value, masked: true }), [400, { message: { value: [/^cannot be masked/] } }])
  t.equal((await call('GET', '/variables')).body.length, 1)
})

t.test('one key has a value for each environment scope, and requests name which they mean', async t => {
  const { call, rest, project } = await openCiProject(t, config)
  const url = `/projects/${project.id}/variables/A`
  const filter = (scope: string) => `${url}?filter[environment_scope]=${encodeURIComponent(scope)}`

  await call('POST', '/variables', { key: 'A', value: '1' })
  await call('POST', '/variables', { key: 'A', value: '2', environment_scope: 'review/*' })
  t.equal((await rest('GET', url)).status, 409)
  t.equal((await rest('PUT', url, { value: '3' })).status, 409)
  t.equal((await rest('GET', filter('review/*'))).body.value, '2')
  t.equal((await rest('PUT', filter('*'), { value: '3' })).body.environment_scope, '*')
  t.equal((await rest('PUT', filter('*'), { environment_scope: 'review/*' })).status, 400)
  t.equal((await rest('DELETE', filter('review/*'))).status, 204)
  t.equal((await rest('GET', url)).body.value, '3')
})

t.test('a hidden variable reaches jobs, and its value is never shown again', async t => {
  const { set, rest, places, run, runner } = await openGroupProject(t)
  const url = `${places.project}/HIDDEN`

  await set('project', 'HIDDEN', 'never-shown', { masked_and_hidden: true })
  t.hasStrict((await rest('GET', url)).body, { value: null, hidden: true, masked: true })
  t.equal((await rest('PUT', url, { masked: false })).status, 400)
  t.hasStrict((await rest('PUT', url, { value: 'changed-value' })).body, { value: null, hidden: true })
  await run()
  t.hasStrict(sent(await runner.take(), 'HIDDEN'), { value: 'changed-value', masked: true, public: false })
})

t.test('jobs get the variables of the nearest place, and those of the pipeline win', async t => {
  const { set, run, runner } = await openGroupProject(t)

  await set('system', 'A', 'system')
  for (const place of ['system', 'group'] as const) await set(place, 'B', place)
  for (const place of ['system', 'group', 'subgroup'] as const) await set(place, 'C', place)
  for (const place of ['system', 'group', 'subgroup', 'project'] as const) await set(place, 'PLACE', place)
  await set('project', 'CERT', 'PEM', { variable_type: 'file' })
  await run({ variables: [{ key: 'GIVEN', value: 'yes', variable_type: 'file' }] })
  const job = await runner.take()

  t.same(
    ['A', 'B', 'C', 'PLACE'].map(key => sent(job, key)!.value),
    ['system', 'group', 'subgroup', 'project']
  )
  t.hasStrict(sent(job, 'CERT'), { value: 'PEM', file: true, raw: false })
  t.hasStrict(sent(job, 'GIVEN'), { value: 'yes', file: true })
  await run({ variables: [{ key: 'PLACE', value: 'pipeline' }] })
  await runner.take()
  t.equal(sent(await runner.take(), 'PLACE')!.value, 'pipeline')
})

t.test('only jobs of the default branch get protected variables', async t => {
  const { set, call, run, runner } = await openGroupProject(t)

  await set('project', 'DEPLOY_KEY', 'x', { protected: true })
  await call('POST', '/repository/branches', { branch: 'topic', ref: 'main' })
  await run({ ref: 'topic' })
  t.equal(sent(await runner.take(), 'DEPLOY_KEY'), undefined)
  await runner.take()
  await run()
  t.equal(sent(await runner.take(), 'DEPLOY_KEY')!.value, 'x')
})

t.test('a variable with an environment scope is for jobs of these environments, the most specific first', async t => {
  const { set, run, runner } = await openGroupProject(t)

  await set('project', 'URL', 'general')
  await set('project', 'URL', 'review', { environment_scope: 'review/*' })
  await set('project', 'URL', 'main', { environment_scope: 'review/main' })
  await set('project', 'LIVE', 'x', { environment_scope: 'production' })
  await run()
  const [plain, deploy] = [await runner.take(), await runner.take()]

  t.equal(sent(plain, 'URL')!.value, 'general')
  t.same(
    ['URL', 'CI_ENVIRONMENT_NAME', 'CI_ENVIRONMENT_SLUG', 'LIVE'].map(key => sent(deploy, key)?.value?.replace(/-[0-9a-f]{6}$/, '')),
    ['main', 'review/main', 'review-main', undefined]
  )
})

t.test('rules see stored variables', async t => {
  const { set, run, statuses } = await openGroupProject(t, 'always: {script: x}\nmaybe: {script: x, rules: [{if: $ENABLED == "yes"}]}')

  t.same(Object.keys(await statuses(await run())), ['always'])
  await set('group', 'ENABLED', 'yes')
  t.same(Object.keys(await statuses(await run())).sort(), ['always', 'maybe'])
})

t.test('the variables of a manual job win over stored ones, and a retry has them too', async t => {
  const { set, call, run, idOf, runner } = await openGroupProject(t, 'hand: {script: x, when: manual}')

  await set('project', 'MODE', 'stored')
  const pipeline = await run()
  const id = await idOf(pipeline, 'hand')

  await call('POST', `/jobs/${id}/play`, { job_variables_attributes: [{ key: 'MODE', value: 'by hand' }] })
  const job = await runner.take()
  t.equal(sent(job, 'MODE')!.value, 'by hand')
  await runner.report(job.body, 'failed')
  await call('POST', `/jobs/${id}/retry`)
  t.equal(sent(await runner.take(), 'MODE')!.value, 'by hand')
})

t.test('values are encrypted in the database, and changes are audited without them', async t => {
  const { call, app, rest, project } = await openCiProject(t, config)

  await call('POST', '/variables', { key: 'A', value: 'plain-text-secret' })
  await rest('PUT', `/projects/${project.id}/variables/A`, { value: 'another-plain-text' })
  await call('DELETE', '/variables/A')
  await call('POST', '/variables', { key: 'A', value: 'plain-text-secret' })
  const [row] = await app.platform.fork().getConnection().execute('SELECT value, to_jsonb(v)::text AS text FROM ci_variables v')
  const { body: events } = await call('GET', '/audit_events')
  const names = events.map((event: { event_name: string }) => event.event_name).filter((name: string) => name.startsWith('ci_variable'))

  t.notOk(row!.text.includes(Buffer.from('plain-text').toString('hex')))
  t.same(names, ['ci_variable_created', 'ci_variable_deleted', 'ci_variable_updated', 'ci_variable_created'])
  t.notMatch(JSON.stringify(events), /plain-text/)
})

t.test('without its SECRET_KEY, a value is shown as null, and jobs go on without it', async t => {
  const { call, run, app, project, rest } = await openCiProject(t, config)

  await call('POST', '/variables', { key: 'A', value: 'x' })
  await call('POST', '/variables', { key: 'B', value: 'x' })
  // As if it had been copied from another project.
  await app.platform.fork().getConnection().execute("UPDATE ci_variables SET value = '\\x00' WHERE key = 'A'")
  t.equal((await rest('GET', `/projects/${project.id}/variables/A`)).body.value, null)
  await run()
  const job = await (await aRunner({ app, rest, project })).take()

  t.same([sent(job, 'A'), sent(job, 'B')?.value], [undefined, 'x'])
})

t.test('a place has at most 500 variables', async t => {
  const { call, app, project } = await openCiProject(t, config)

  await app.platform
    .fork()
    .getConnection()
    .execute(`INSERT INTO ci_variables (project_id, key, value) SELECT ?, 'K' || n, '\\x00' FROM generate_series(1, 500) n`, [project.id])
  t.match((await call('POST', '/variables', { key: 'ONE_MORE', value: 'x' })).body, { message: { base: [/500/] } })
})
