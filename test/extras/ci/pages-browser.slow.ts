import t from 'tap'
import { look } from '../../pages/look.ts'
import { noBrowser } from '../../support/browser.ts'
import { openReader } from '../../support/reader.ts'
import { openCiProject } from './ci-project.ts'
import { aRunner } from './runner-client.ts'

const esc = '\u001b'
const palette = Array.from({ length: 16 }, (_, n) => `${esc}[38;5;${n}mcolour ${n}${esc}[0m ${esc}[48;5;${n}mon ${n}${esc}[0m`)
const log = [
  `${esc}[0KRunning with gitlab-runner 17.5.0${esc}[0;m`,
  `section_start:10:get_sources[collapsed=true]\r${esc}[0K${esc}[0K${esc}[36;1mGetting source from Git repository${esc}[0;m`,
  `${esc}[32;1mFetching changes...${esc}[0;m`,
  `section_end:75:get_sources\r${esc}[0Ksection_start:75:step_script\r${esc}[0K${esc}[36;1mExecuting "step_script"${esc}[0;m`,
  `${esc}[32;1m$ npm test${esc}[0;m`,
  ...palette,
  'a long line '.repeat(40),
  `${esc}[31;1mERROR: 1 of 12 tests failed${esc}[0;m`
].join('\n')

t.test('pages of pipelines and jobs pass axe and fit, and sections of a log fold', { skip: noBrowser || false }, async t => {
  const world = await openCiProject(t, 'test: {stage: test, script: check}\nlive: {stage: deploy, script: x, when: manual}', {
    env: { DATA_DIR: t.testdir() }
  })
  const runner = await aRunner(world, { description: 'shop-runner' })
  const { app, project } = world
  const root = `/projects/${project.id}`

  await world.commit({ a: 'b' }, { branch: 'feature/checkout', start_branch: 'main', commit_message: 'Ask for the address first' })
  const pipeline = await world.run()
  const { body: job } = await runner.take()
  const { page, open, problems } = await openReader(t, app)

  await runner.log(job, 0, `${log}\n`)
  await runner.report(job, 'failed', { failure_reason: 'script_failure', exit_code: 1 })
  await world.rest('POST', `${root}/variables`, { key: 'TOKEN', value: 'a-secret-value', masked: true, description: 'Of the server' })
  for (const [name, path] of Object.entries({
    pipelines: 'pipelines',
    'pipelines-none': 'pipelines?status=skipped',
    pipeline: `pipelines/${pipeline.id}`,
    job: `jobs/${job.id}`,
    'new-pipeline': 'pipelines/new',
    variables: 'variables',
    'new-variable': 'variables/new'
  })) {
    await open(`${root}/${path}`)
    await look(t, page, name)
  }
  await open(`${root}/jobs/${job.id}`)
  const fetched = page.getByText('Fetching changes...')

  t.equal(await fetched.isVisible(), false, 'a collapsed section')
  await page.getByText('Getting source from Git').click()
  t.equal(await fetched.isVisible(), true)
  await page.getByText('Executing "step_script"').click()
  t.equal(await page.getByText('$ npm test').isVisible(), false)
  t.same(problems, [], 'the browser reports no errors, nor the CSP')
})
