import Type from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import type { HttpMonitorValues } from '#monitors/change-monitor.ts'
import type { Monitor } from '#monitors/monitor.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { Times } from './monitor-form.ts'

const methods = ['GET', 'HEAD', 'POST'] as const

export const HttpMonitorForm = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128 }),
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  method: Type.Enum([...methods]),
  interval_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  expected_status: Type.String({ minLength: 1, maxLength: 100 }),
  body_text: Type.String({ maxLength: 200 }),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: 30 }),
  certificate_days: Type.Integer({ minimum: 0, maximum: 365 }),
  follow_redirects: Type.Boolean(),
  headers: Type.Array(Type.String({ maxLength: 4200 }), { maxItems: 10 }),
  failure_threshold: Times,
  recovery_threshold: Times
})

const defaults = {
  method: 'GET',
  interval_minutes: 1,
  expected_status: '2xx',
  timeout_seconds: 10,
  certificate_days: 14,
  follow_redirects: true,
  failure_threshold: 1,
  recovery_threshold: 1
}

export function newHttpMonitorForm() {
  return new Form(HttpMonitorForm, defaults)
}

export function formOfHttpMonitor({ name, http, schedule, failureThreshold, recoveryThreshold }: Monitor) {
  return new Form(HttpMonitorForm, {
    name,
    url: http!.url,
    method: http!.method,
    interval_minutes: schedule!.value,
    expected_status: http!.expectedStatus,
    body_text: http!.bodyText,
    timeout_seconds: http!.timeoutSeconds,
    certificate_days: http!.certificateDays,
    follow_redirects: http!.followsRedirects,
    headers: http!.headerNames.map(name => `${name}:`),
    failure_threshold: failureThreshold,
    recovery_threshold: recoveryThreshold
  })
}

export function toHttpMonitorValues(body: Type.Static<typeof HttpMonitorForm>): HttpMonitorValues {
  const headers = Object.fromEntries(body.headers.map(readHeader))

  return {
    name: body.name,
    schedule: { type: 'interval', value: body.interval_minutes, unit: 'minute' },
    failureThreshold: body.failure_threshold,
    recoveryThreshold: body.recovery_threshold,
    http: {
      url: body.url,
      method: body.method,
      expectedStatus: body.expected_status,
      bodyText: body.body_text,
      timeoutSeconds: body.timeout_seconds,
      followsRedirects: body.follow_redirects,
      certificateDays: body.certificate_days,
      headerNames: Object.keys(headers)
    },
    headers
  }
}

function readHeader(line: string) {
  const colon = line.indexOf(':')

  if (colon < 1) throw new ValidationFailed({ headers: ['need a name and a value each, such as Accept: text/html'] })

  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
}

export function httpMonitorFields(form: Form<typeof HttpMonitorForm>) {
  return html`
    ${form.field('name', { label: 'Name' })}
    ${form.field('url', { label: 'URL', type: 'url', hint: 'Such as https://example.com/health.' })}
    ${form.select('method', { label: 'Method', options: methods.map(method => [method, method]) })}
    ${form.field('interval_minutes', { label: 'Interval (minutes)' })}
    ${form.field('expected_status', { label: 'Expected status', hint: 'Such as 2xx or 200, 301-304.' })}
    ${form.field('body_text', { label: 'Text in the body', hint: 'Must occur in the first 64 KiB. Leave empty to accept any body.' })}
    ${form.field('timeout_seconds', { label: 'Timeout (seconds)', hint: 'For the whole answer, with redirects.' })}
    ${form.field('certificate_days', { label: 'Certificate warning (days)', hint: 'Fails this many days before the TLS certificate expires. 0 turns the warning off.' })}
    ${form.checkbox('follow_redirects', { label: 'Follow redirects', hint: 'Up to 5. The request headers are sent to the URL’s own origin only.' })}
    ${form.textArea('headers', { label: 'Request headers', hint: 'One per line, such as Accept: text/html. Values are stored encrypted and not shown again; a name without a value keeps the stored one.', attributes: { spellcheck: 'false' } })}
    ${form.field('failure_threshold', { label: 'Failures in a row that open an alert' })}
    ${form.field('recovery_threshold', { label: 'Good checks in a row that resolve it' })}`
}
