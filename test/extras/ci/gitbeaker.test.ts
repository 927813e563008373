import { Gitlab } from '@gitbeaker/rest'
import t, { type Test } from 'tap'
import { zip as zipOf } from '../../errors/fixtures/bundle.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { rootToken } from '../../support/world.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

const config = 'build: {script: make, artifacts: {paths: [out]}}\nship: {stage: deploy, script: ship, when: manual}'

async function openListeningProject(t: Test) {
  const world = await openCiProject(t, config)
  const host = await listen(world.app)

  // What `Link` says has to lead back here.
  world.config.baseUrl = host

  return { ...world, host, api: new Gitlab({ host, token: rootToken }) }
}

t.test('a client made for GitLab follows jobs, plays them and fetches their artifacts', async t => {
  const world = await openListeningProject(t)
  const { project, host, api } = world
  const { Jobs, JobArtifacts, Pipelines, Runners } = api
  const runner = await aRunner(world)
  const pipeline = await Pipelines.create(project.id, 'main')
  const { body: job } = await runner.take()
  const form = new FormData()

  form.set('file', new Blob([zipOf({ 'out/shop': 'the shop' }) as Uint8Array<ArrayBuffer>]), 'artifacts.zip')
  await runner.log(job, 0, 'made it\n')
  const upload = `${host}/api/v4/jobs/${job.id}/artifacts?artifact_type=archive&artifact_format=zip`

  t.equal((await fetch(upload, { method: 'POST', body: form, headers: { 'job-token': job.token } })).status, 201)
  await runner.report(job, 'success')
  t.hasStrict(await Jobs.show(project.id, job.id), { name: 'build', status: 'success' })
  t.equal(await Jobs.showLog(project.id, job.id), 'made it\n')
  const archive = await JobArtifacts.downloadArchive(project.id, { jobId: job.id })
  const file = await JobArtifacts.downloadArchive(project.id, { jobId: job.id, artifactPath: 'out/shop' })

  t.ok((archive as Blob).size > 100)
  t.equal(await (file as Blob).text(), 'the shop')
  t.hasStrict(await JobArtifacts.keep(project.id, job.id), { id: job.id, artifacts_expire_at: null })
  const [ship] = await Jobs.all(project.id, { scope: 'manual' })

  t.hasStrict(await Jobs.play(project.id, ship!.id), { status: 'pending' })
  t.hasStrict(await Runners.allJobs(runner.id), [{ id: job.id }])
  t.hasStrict(await Jobs.erase(project.id, job.id), { id: job.id })
  await t.rejects(JobArtifacts.downloadArchive(project.id, { jobId: job.id }), { message: 'Not Found' })
  t.hasStrict(await Pipelines.showLatest(project.id), { id: pipeline.id })
})

t.test('a client made for GitLab keeps variables and the allowlist of job tokens, and checks configurations', async t => {
  const { project, rest, api } = await openListeningProject(t)
  const { ProjectVariables, GroupVariables, InstanceLevelCICDVariables, ProjectJobTokenScopes, Lint } = api
  const { body: group } = await rest('POST', '/groups', { name: 'Makers', path: 'makers' })
  const { body: other } = await rest('POST', '/projects', { name: 'Other' })
  const inProduction = { filter: { environment_scope: 'prod' } }

  t.hasStrict(await ProjectVariables.create(project.id, 'KEY', 'value', { environmentScope: 'prod' }), { environment_scope: 'prod' })
  t.hasStrict(await ProjectVariables.edit(project.id, 'KEY', 'other', inProduction), { value: 'other' })
  t.hasStrict(await ProjectVariables.show(project.id, 'KEY', inProduction), { value: 'other' })
  await ProjectVariables.remove(project.id, 'KEY', inProduction)
  t.same(await ProjectVariables.all(project.id), [])
  await GroupVariables.create(group.id, 'KEY', 'of the group', { masked: false })
  hasExactly(t, await GroupVariables.all(group.id), [{ key: 'KEY', value: 'of the group' }])
  await InstanceLevelCICDVariables.create('KEY', 'of all')
  hasExactly(t, await InstanceLevelCICDVariables.all(), [{ key: 'KEY', value: 'of all' }])
  await ProjectJobTokenScopes.addToInboundAllowList(project.id, other.id)
  hasExactly(t, await ProjectJobTokenScopes.showInboundAllowList(project.id), [{ id: other.id }])
  await ProjectJobTokenScopes.removeFromInboundAllowList(project.id, other.id)
  t.same(await ProjectJobTokenScopes.showInboundAllowList(project.id), [])
  t.hasStrict(await Lint.check(project.id, {}), { valid: true, errors: [] })
  t.match(await Lint.lint(project.id, 'build: {scrip: x}'), { valid: false, errors: [/build/] })
})
