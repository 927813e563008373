import t, { type Test } from 'tap'
import { stageOf } from '#lib/deprecations/stages.ts'
import { openCodeProject } from '../git-http/code.ts'
import { aPerson } from '../identity/people.ts'
import { openApp } from '../support/world.ts'
import { prove } from './prove.ts'
import { resultOf, type Statement } from './statements/statement.ts'
import { graphql, schedule, versions } from './statements/versions.ts'

const { app, call } = await openApp(t)
const { body: project } = await call('POST', '/projects', { name: 'Shop' })
const { body: made } = await call('POST', '/user/runners', { runner_type: 'instance_type' })
const runner = async (query = '') => (await call('GET', `/runners/${made.id}${query}`)).body

/** What does not exist here is listed as such, and its routes are unknown. */
function notHere(statement: Statement, path?: string) {
  return async (t: Test) => {
    t.match(resultOf(statement), /^Not offered: /)
    if (path) t.equal((await call('GET', path)).status, 404)
  }
}

/** The status of a request by version. */
async function byVersion(t: Test, expected: Record<string, number>, request: (call: typeof world.call) => Promise<{ status: number }>) {
  for (const [SERVICE_VERSION, status] of Object.entries(expected)) {
    const { call } = await openApp(t, { env: { SERVICE_VERSION } })

    t.equal((await request(call)).status, status, SERVICE_VERSION)
  }
}

const world = { call }

prove(t, versions, {
  'version in the path': async t => {
    t.equal((await app.inject('/api/v4/projects')).statusCode, 200)
    for (const version of ['v3', 'v5']) t.equal((await app.inject(`/api/${version}/projects`)).statusCode, 404)
  },
  geo_nodes: notHere(versions.statements.geo_nodes, '/geo_nodes'),
  merged_by: notHere(versions.statements.merged_by),
  merge_status: notHere(versions.statements.merge_status),
  private_profile: async t => {
    const { id } = await aPerson(call, 'jane', { private_profile: null })
    const set = async (value: unknown) => (await call('PUT', `/users/${id}`, { private_profile: value })).body.private_profile

    t.equal((await call('GET', `/users/${id}`)).body.private_profile, false)
    t.strictSame([await set(true), await set(null)], [true, false])
  },
  'changes of a merge request': notHere(
    versions.statements['changes of a merge request'],
    `/projects/${project.id}/merge_requests/1/changes`
  ),
  'managed licenses': notHere(versions.statements['managed licenses'], `/projects/${project.id}/managed_licenses`),
  'approvers and approval_groups': notHere(versions.statements['approvers and approval_groups'], `/projects/${project.id}/approvals`),
  'runner: active': async t => {
    t.hasStrict(await runner(), { active: true, paused: false })
    t.hasStrict((await call('PUT', `/runners/${made.id}`, { active: false })).body, { active: false, paused: true })
    t.hasStrict((await call('PUT', `/runners/${made.id}`, { paused: false })).body, { active: true, paused: false })
  },
  'runner: status': async t => {
    t.equal((await runner()).status, 'never_contacted')
    t.type((await runner()).paused, 'boolean')
  },
  'runner: ip_address': async t => t.equal((await runner()).ip_address, '')
})

prove(t, schedule, {
  '17.0: POST /runners': t =>
    byVersion(t, { '16.11': 403, '17.0': 410 }, call => call('POST', '/runners', { token: 'no', locked: true }, null)),
  '17.0: ref and sha': async t => {
    for (const [SERVICE_VERSION, status] of [
      ['16.11', 200],
      ['17.0', 400]
    ] as const) {
      const { call, project, commit } = await openCodeProject(t, {}, { env: { SERVICE_VERSION } })

      await commit({ '.gitlab-ci.yml': 'test: {script: make}' })
      t.equal((await call('GET', `/projects/${project.id}/ci/lint?ref=main&sha=main`)).status, status, SERVICE_VERSION)
    }
  },
  '17.0: version of feature flags': async t => {
    for (const [SERVICE_VERSION, version] of [
      ['16.11', 'new_version_flag'],
      ['17.0', undefined]
    ] as const) {
      const { call } = await openApp(t, { env: { SERVICE_VERSION } })
      const { body: project } = await call('POST', '/projects', { name: 'Shop' })
      const { status, body } = await call('POST', `/projects/${project.id}/feature_flags`, { name: 'fast', version: 'new_version_flag' })

      t.strictSame([status, body.version], [201, version], SERVICE_VERSION)
    }
  },
  '17.0: users by number': t => byVersion(t, { '16.11': 200, '17.0': 405 }, call => call('GET', '/users?page=2')),
  '17.0: repository_download_operation': async t => {
    for (const [SERVICE_VERSION, visibility, isRecorded] of [
      ['16.11', 'public', true],
      ['17.0', 'public', false],
      ['17.0', 'private', true]
    ] as const) {
      const { call, project, commit, get } = await openCodeProject(t, { visibility }, { env: { SERVICE_VERSION } })

      await commit({ 'a.txt': 'a' })
      await get('/archive.zip')
      const { body } = await call('GET', `/projects/${project.id}/audit_events`)
      const names = body.map((event: { event_name: string }) => event.event_name)

      t.equal(names.includes('repository_download_operation'), isRecorded, `${SERVICE_VERSION}, ${visibility}`)
    }
  },
  '18.0: reset_registration_token': async t => {
    const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })

    for (const place of ['', `/projects/${project.id}`, `/groups/${group.id}`])
      t.equal((await call('POST', `${place}/runners/reset_registration_token`)).status, 410, place)
    await byVersion(t, { '17.11': 201 }, call => call('POST', '/runners/reset_registration_token'))
  },
  '18.0: registry tags by number': t => {
    t.equal(resultOf(schedule.statements['18.0: registry tags by number']), 'Holds from 18.0')
    t.same(
      ['17.11', '18.0'].map(serviceVersion => stageOf({ serviceVersion }, 'registry-tags-offset')),
      ['deprecated', 'removed']
    )
  },
  '18.0: scope of job tokens': async t => {
    const url = `/projects/${project.id}/job_token_scope`

    t.equal((await call('GET', url)).body.inbound_enabled, true)
    t.equal((await call('PATCH', url, { enabled: false })).status, 400)
    t.equal((await call('GET', url)).body.inbound_enabled, true)
  },
  '18.0: CI database': notHere(schedule.statements['18.0: CI database']),
  '18.0: registration of runners': async t => {
    t.match(made.token, /^glrt-/)
    t.equal((await call('POST', '/runners/verify', { token: made.token }, null)).status, 200)
  }
})

prove(t, graphql, {
  'Project.services': notHere(graphql.statements['Project.services'], '/graphql'),
  'ciJobTokenScopeRemoveProject: direction': notHere(graphql.statements['ciJobTokenScopeRemoveProject: direction'], '/graphql'),
  'storage increase': notHere(graphql.statements['storage increase'], '/graphql'),
  'CiRunner: fields': notHere(graphql.statements['CiRunner: fields'], '/graphql'),
  CiRunnerUpgradeStatusType: notHere(graphql.statements.CiRunnerUpgradeStatusType, '/graphql'),
  'CiRunner.projects': notHere(graphql.statements['CiRunner.projects'], '/graphql')
})
