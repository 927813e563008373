import t from 'tap'
import { aWebhook, openAlertedProject } from '../alerts/alerting.ts'
import { noBrowser } from '../support/browser.ts'
import { openReader } from '../support/reader.ts'
import { foreignMarkup } from './xss-checks.ts'
import { payloads } from './xss-payloads.ts'

const alerts = 6

t.test('no field of an alert runs on any page', { skip: noBrowser }, async t => {
  const { app, send, project, integration, call, platform } = await openAlertedProject(t)
  const root = `/projects/${project.id}`

  for (let n = 0; n < alerts / 2; n++) {
    await send(hostileAlert(2 * n))
    await send(aWebhook([hostileItem(2 * n + 1)]))
  }
  for (let iid = 1; iid <= alerts; iid++) {
    await call('POST', `${root}/alert_management_alerts/${iid}/notes`, { body: payloads.join('\n') })
  }
  await platform.pool.query('UPDATE alert_integrations SET name = $1, sample_payload = $2', [payloads[0], JSON.stringify(hostileAlert(0))])
  await platform.pool.query(
    `INSERT INTO alert_metric_images (alert_id, filename, content_type, size, stored_as, url, url_text)
     SELECT id, $1, 'image/png', 1, 'x', $2, $3 FROM alerts`,
    [payloads[11], 'javascript:alert(1)', payloads[12]]
  )
  const { page, address, problems } = await openReader(t, app)
  const integrationUrl = `${root}/alert_integrations/${integration.id}`

  for (const url of [
    ...Array.from({ length: alerts }, (_, n) => `${root}/alerts/${n + 1}`),
    ...payloads.slice(0, 5).map(payload => `${root}/alerts/1?member=${encodeURIComponent(payload)}`),
    `${root}/alerts`,
    `${root}/alert_integrations`,
    integrationUrl,
    `${integrationUrl}/connect`,
    `${integrationUrl}/connect/curl`,
    `${integrationUrl}/mapping`,
    `${integrationUrl}/mapping?sample=last`,
    `${integrationUrl}/test`,
    root,
    '/'
  ]) {
    await page.goto(address + url)
    t.same(await foreignMarkup(page), [], url)
  }
  t.same(problems, [], 'no script ran, no request left, and the content security policy had nothing to report')
})

/** Another payload each time. */
function textsFrom(n: number) {
  let at = n * Math.ceil(payloads.length / alerts)

  return () => payloads[at++ % payloads.length]!
}

/** Every member holds a payload, in the shapes of all senders. */
function hostileAlert(n: number) {
  const text = textsFrom(n)
  const object = (size: number) => Object.fromEntries(Array.from({ length: size }, () => [text(), text()]))

  return {
    title: text(),
    description: text(),
    service: text(),
    monitoring_tool: text(),
    hosts: [text(), text()],
    service_environment_name: text(),
    runbook: text(),
    runbook_url: `javascript:${text()}`,
    dashboard_url: 'javascript:alert(1)',
    link: `https://example.com/${text()}`,
    url: text(),
    labels: { ...object(4), nested: object(1) },
    tags: [text(), { name: text(), value: text() }, [text(), text()]],
    event_tags: JSON.stringify([{ tag: text(), value: text() }]),
    annotations: object(3),
    extra: { ...object(3), list: [text(), text().repeat(40)] },
    fingerprint: `alert ${n}`
  }
}

function hostileItem(n: number) {
  const text = textsFrom(n)

  return {
    status: 'firing',
    labels: { alertname: text(), severity: 'critical', gitlab_environment_name: text(), [text()]: text() },
    annotations: { title: text(), description: text(), runbook: text(), runbook_url: `https://example.com/?${text()}`, [text()]: text() },
    startsAt: new Date().toISOString(),
    generatorURL: `javascript:${text()}?g0.expr=${encodeURIComponent(text())}`,
    dashboardURL: `https://example.com/"${text()}`,
    panelURL: text(),
    silenceURL: 'data:text/html,x',
    values: { [text()]: text() },
    fingerprint: `item ${n}`
  }
}
