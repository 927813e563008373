import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { toTime } from '#lib/time.ts'
import { fromLocalTime, toLocalTime } from '#lib/zoned-time.ts'
import { mutes } from '#notifications/mutes/mute-resource.ts'
import type { Form, SentForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Until when a mute holds notifications, in the reader's time zone. */
const ends = {
  hour: { label: 'in 1 hour', at: (now: Date) => new Date(now.getTime() + hourMs) },
  hours: { label: 'in 4 hours', at: (now: Date) => new Date(now.getTime() + 4 * hourMs) },
  tomorrow: {
    label: 'tomorrow at 9:00',
    at: (now: Date, zone: string) => fromLocalTime(`${toLocalTime(new Date(now.getTime() + dayMs), zone).slice(0, 10)}T09:00`, zone)
  }
} as const

/** The end is one of the offered times, or `own`: then `ends_at` has it. */
export const MuteForm = Type.Object({
  ...Type.Omit(mutes.body, ['labels']).properties,
  until: Type.Enum([...(Object.keys(ends) as (keyof typeof ends)[]), 'own']),
  starts_at: Nullable(Time()),
  ends_at: Nullable(Time())
})

/** The body of the REST API. Adds to the form what is wrong with the times. */
export function toMuteBody(form: SentForm<typeof MuteForm>, zone: string, now: Date) {
  const { until, starts_at: startsAt } = form.body
  const start = toTime(startsAt ?? undefined) ?? now
  const offered = until in ends ? ends[until as keyof typeof ends].at(start, zone) : undefined

  if (offered) form.clear('ends_at')
  const end = offered ?? toTime(form.body.ends_at ?? undefined)

  if (!end) form.problems.ends_at = 'Enter a date and a time.'
  else if (end <= start) form.problems.ends_at = 'The mute ends before it starts.'

  return { ...form.body, starts_at: start.toISOString(), ends_at: (end ?? now).toISOString() }
}

export function muteFields(form: Form<typeof MuteForm>, zone: string) {
  const time = (name: 'starts_at' | 'ends_at', label: string, hint: string) =>
    form.field(name, { type: 'datetime-local', label, hint, invalid: 'Enter a date and a time.', attributes: { class: 'short' } })

  return html`
    ${form.field('reason', { label: 'Reason', hint: 'Such as “Upgrade of db-2”.' })}
    ${form.select('until', {
      label: 'Until',
      options: [...Object.entries(ends).map(([value, { label }]): [string, string] => [value, label]), ['own', 'another time']]
    })}
    <div class="own-time">${time('ends_at', 'Ends', `Time zone: ${zone}.`)}</div>
    ${time('starts_at', 'Starts (optional)', `Leave empty to start now. Time zone: ${zone}.`)}
    ${form.field('environment', { label: 'Environment (optional)', hint: '* matches any text, such as eu-*. Leave empty for all.', attributes: { spellcheck: 'false' } })}
    ${form.textArea('tags', {
      label: 'Tags (optional)',
      hint: 'One per line, such as service=shop or cluster=eu-*. All must match.',
      attributes: { spellcheck: 'false' }
    })}
    ${form.error('everything') && html`<p class="error" id="everything-error">To mute the whole project, check this box and leave the environment and the tags empty.</p>`}
    ${form.checkbox('everything', { label: 'Mute everything in the project' })}`
}
