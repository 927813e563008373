import Type from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import { isTimeZone } from '#lib/time-zone.ts'
import type { MonitorValues } from '#monitors/change-monitor.ts'
import type { Monitor } from '#monitors/monitor.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { parseScheduleText, scheduleText } from './schedule-text.ts'

const Minutes = Type.Integer({ minimum: 1, maximum: 43_200 })
export const Times = Type.Integer({ minimum: 1, maximum: 100 })

export const MonitorForm = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128 }),
  schedule: Type.String({ minLength: 1, maxLength: 100 }),
  timezone: Type.String({ minLength: 1, maxLength: 64 }),
  margin_minutes: Minutes,
  max_run_minutes: Minutes,
  failure_threshold: Times,
  recovery_threshold: Times
})

const defaults = { margin_minutes: 1, max_run_minutes: 30, failure_threshold: 1, recovery_threshold: 1 }

export function newMonitorForm(timezone: string) {
  return new Form(MonitorForm, { ...defaults, timezone })
}

export function formOfMonitor(monitor: Monitor) {
  return new Form(MonitorForm, {
    name: monitor.name,
    schedule: scheduleText(monitor.schedule),
    timezone: monitor.timezone,
    margin_minutes: monitor.marginMinutes,
    max_run_minutes: monitor.maxRunMinutes,
    failure_threshold: monitor.failureThreshold,
    recovery_threshold: monitor.recoveryThreshold
  })
}

export function toMonitorValues(body: Type.Static<typeof MonitorForm>): MonitorValues {
  const schedule = parseScheduleText(body.schedule)
  const problems = {
    ...(!schedule && { schedule: ['is neither a crontab, such as 0 3 * * *, nor an interval, such as every 5 minutes'] }),
    ...(!isTimeZone(body.timezone) && { timezone: ['is not a time zone, such as Europe/Berlin'] })
  }

  if (!schedule || Object.keys(problems).length > 0) throw new ValidationFailed(problems)

  return {
    name: body.name,
    schedule,
    timezone: body.timezone,
    marginMinutes: body.margin_minutes,
    maxRunMinutes: body.max_run_minutes,
    failureThreshold: body.failure_threshold,
    recoveryThreshold: body.recovery_threshold
  }
}

export function monitorFields(form: Form<typeof MonitorForm>) {
  return html`
    ${form.field('name', { label: 'Name' })}
    ${form.field('schedule', { label: 'Schedule', hint: 'A crontab, such as 0 3 * * *, or an interval, such as every 5 minutes.' })}
    ${form.field('timezone', { label: 'Time zone', hint: 'Such as Europe/Berlin.' })}
    ${form.field('margin_minutes', { label: 'Margin (minutes)', hint: 'A run that begins later is missed.' })}
    ${form.field('max_run_minutes', { label: 'Longest run (minutes)', hint: 'A run that takes longer has failed.' })}
    ${form.field('failure_threshold', { label: 'Failures in a row that open an alert' })}
    ${form.field('recovery_threshold', { label: 'Good runs in a row that resolve it' })}`
}
