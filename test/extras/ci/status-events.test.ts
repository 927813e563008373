import t from 'tap'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

t.test('webhooks hear once of each status that pipelines and jobs enter', async t => {
  const world = await openCiProject(
    t,
    'stages: [a, b]\nfirst: {stage: a, script: x}\nsecond: {stage: b, script: y}\nbyHand: {stage: b, script: z, when: manual}'
  )
  const { platform, project, rest, call, run, idOf } = world
  const runner = await aRunner(world)

  await rest('POST', `/projects/${project.id}/hooks`, { url: 'https://a.example' })
  const pipeline = await run()
  const [first, second] = [await idOf(pipeline, 'first'), await idOf(pipeline, 'second')]
  const { body: job } = await runner.take()

  await runner.report(job, 'failed')
  const { body: again } = await call('POST', `/jobs/${first}/retry`)

  await runner.report((await runner.take()).body, 'success')
  await call('POST', `/pipelines/${pipeline.id}/cancel`)
  await call('POST', `/pipelines/${pipeline.id}/cancel`)
  const { rows } = await platform.pool.query("SELECT kind, data FROM outbox WHERE kind IN ('job', 'pipeline') ORDER BY id")
  const statusesOf = (kind: string, id: number) => rows.filter(row => row.kind === kind && row.data.id === id).map(row => row.data.status)

  t.same(statusesOf('pipeline', pipeline.id), ['created', 'pending', 'running', 'failed', 'pending', 'running', 'canceled'])
  t.same(statusesOf('job', first), ['pending', 'running', 'failed'])
  t.same(statusesOf('job', again.id), ['pending', 'running', 'success'])
  t.same(statusesOf('job', second), ['created', 'skipped', 'created', 'pending', 'canceled'])
  t.same(statusesOf('job', await idOf(pipeline, 'byHand')), ['created', 'skipped', 'created', 'manual', 'canceled'])
})
