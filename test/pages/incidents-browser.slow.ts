import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { look } from './look.ts'
import { payloads } from './xss-payloads.ts'

const description = `**Checkout answers slowly** since the deploy of \`shop@2.4.1\`.

- [x] Page the database team
- [ ] Roll back

| Region | p95 |
|---|---|
| eu-west | 2.4 s |

See [the dashboard](https://grafana.example/d/1) and ![graph](https://grafana.example/d/1.png).`

async function openList(t: Test) {
  const world = await openAlertedProject(t)
  const { app, call, send, project } = world
  const root = `/projects/${project.id}`

  await send({ title: 'Checkout latency is above two seconds in eu-west and still rising', severity: 'critical', service: 'checkout' })
  await send({ title: 'Disk of db-7 is full', severity: 'medium' })
  await call('POST', `${root}/alert_management_alerts/1/incident`)
  await call('PUT', `${root}/issues/1`, { description, labels: 'database,customer-facing', assignee_ids: [1] })
  await call('POST', `${root}/issues/1/notes`, { body: 'The pool of **db-7** is exhausted.' })
  await call('POST', `${root}/issues/1/notes`, { body: 'We *rolled back* and watch the latency.', incident_status: 'monitoring' })
  for (const [title, severity] of [
    ['E-mail is delayed', 'low'],
    [`A title without an end ${'x'.repeat(200)}`, 'high'],
    ['Search is down', 'medium']
  ])
    await call('POST', `${root}/issues`, { title, severity, issue_type: 'incident' })

  return { ...world, root, ...(await openReader(t, app, { path: `${root}/incidents` })) }
}

t.test('incidents are found, edited and closed, and each page is accessible and fits a phone', { skip: noBrowser || false }, async t => {
  const { call, root, address, page, problems } = await openList(t)
  const incident = `${address}${root}/incidents/1`

  await look(t, page, 'incidents')
  await page.goto(`${address}/incidents`)
  await look(t, page, 'all-incidents')
  await page.goto(`${address}${root}/incidents?search=nothing`)
  await look(t, page, 'no-incidents')
  await page.goto(`${address}${root}/incidents/new`)
  await look(t, page, 'new-incident')

  await page.goto(incident)
  await look(t, page, 'incident')
  await page.getByRole('link', { name: 'Edit title' }).click()
  await page.getByLabel('Title').fill('Checkout is slow')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Checkout is slow' }).waitFor()
  await page.getByRole('link', { name: 'Edit assignees' }).click()
  await look(t, page, 'incident-assignees')
  await page.goto(`${incident}?edit=description`)
  await call('PUT', `${root}/issues/1`, { description: 'Ann wrote this.' })
  await page.getByLabel('Description').fill('I wrote this.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else changed this').waitFor()
  await look(t, page, 'incident-conflict')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('I wrote this.').waitFor()

  await page.getByText('Post a status update').click()
  await page.getByLabel('Status', { exact: true }).selectOption('resolved')
  await page.getByLabel('What members should know').fill('All is well.')
  await look(t, page, 'incident-update')
  await page.getByRole('button', { name: 'Post update' }).click()
  await page.locator('.update').getByText('All is well.').waitFor()
  await page.getByText('Close incident …').click()
  await page.getByRole('button', { name: 'Close and resolve' }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await look(t, page, 'incident-closed')
  t.same(problems, [])
})

t.test('no text of an incident runs', { skip: noBrowser || false }, async t => {
  const { call, root, address, page, problems } = await openList(t)
  const text = payloads.join('\n\n')
  const line = (n: number) =>
    payloads
      .slice(n, n + 4)
      .join(' ')
      .replaceAll(/[\n,]/g, ' ')
      .slice(0, 255)
  const { body: milestone } = await call('POST', `${root}/milestones`, { title: line(8), description: text })
  const { body: issue } = await call('POST', `${root}/issues`, {
    title: line(0),
    description: text,
    issue_type: 'incident',
    labels: line(4).trim(),
    milestone_id: milestone.id
  })
  const url = `${root}/incidents/${issue.iid}`

  await call('POST', `${url.replace('incidents', 'issues')}/notes`, { body: text })
  await call('POST', `${url.replace('incidents', 'issues')}/notes`, { body: text, incident_status: 'identified' })
  for (const path of [
    url,
    `${url}?edit=description`,
    `${url}?edit=labels`,
    `${url}?edit=milestone`,
    `${root}/incidents`,
    new URL(milestone.web_url).pathname
  ]) {
    await page.goto(address + path)
    const foreign = await page.evaluate(
      `[...document.querySelectorAll('main *')].filter(one => one.matches('script, iframe, object, embed, style, [style], svg[onload], form[action^="http"]') || [...one.attributes].some(({ name }) => name.startsWith('on'))).map(one => one.outerHTML.slice(0, 200))`
    )

    t.same(foreign, [], path)
  }
  t.same(problems, [])
})
