import t from 'tap'
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
