import type { FastifyRequest } from 'fastify'
import { fromLocalTime, toLocalTime } from '#lib/zoned-time.ts'
import { checkbox, field, selectField, textArea } from '../layout/field.ts'
import { linesOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'

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
type End = keyof typeof ends

export interface MuteForm {
  reason: string
  environment: string
  tags: string[]
  isEverything: boolean
  until: End | 'own'
  startsAt: string
  endsAt: string
}

export const blankMute: MuteForm = { reason: '', environment: '', tags: [], isEverything: false, until: 'hour', startsAt: '', endsAt: '' }

export function readMuteForm(request: FastifyRequest): MuteForm {
  const text = (name: string) => textOf(request, name).trim()
  const until = text('until')

  return {
    reason: text('reason'),
    environment: text('environment'),
    tags: linesOf(request, 'tags'),
    isEverything: text('everything') !== '',
    until: until in ends ? (until as End) : 'own',
    startsAt: text('starts_at'),
    endsAt: text('ends_at')
  }
}

/** The body of the REST API, or what is wrong with the times. */
export function toMuteBody({ until, startsAt, endsAt, ...form }: MuteForm, zone: string, now: Date) {
  const start = startsAt === '' ? now : fromLocalTime(startsAt, zone)
  const end = until === 'own' ? fromLocalTime(endsAt, zone) : ends[until].at(start ?? now, zone)
  const problems: Problems = {
    ...(!start && { starts_at: 'Enter a date and a time.' }),
    ...(!end && { ends_at: 'Enter a date and a time.' }),
    ...(start && end && end <= start && { ends_at: 'The mute ends before it starts.' })
  }

  if (!start || !end || Object.keys(problems).length > 0) return { problems }

  const { reason, environment, tags, isEverything: everything } = form
  const times = { starts_at: start.toISOString(), ends_at: end.toISOString() }

  return { body: { reason, environment: environment || null, tags, everything, ...times } }
}

export function muteFields(form: MuteForm, zone: string, problems: Problems = {}) {
  const time = (name: string, label: string, value: string, hint: string) =>
    field({ type: 'datetime-local', name, label, value, hint, error: problems[name], attributes: { class: 'short' } })

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${field({ name: 'reason', label: 'Reason', value: form.reason, hint: 'Such as “Upgrade of db-2”.', error: problems.reason, isRequired: true, attributes: { maxlength: 200 } })}
    ${selectField({
      name: 'until',
      label: 'Until',
      value: form.until,
      options: [...Object.entries(ends).map(([value, { label }]): [string, string] => [value, label]), ['own', 'another time']]
    })}
    <div class="own-time">${time('ends_at', 'Ends', form.endsAt, `Time zone: ${zone}.`)}</div>
    ${time('starts_at', 'Starts (optional)', form.startsAt, `Empty: now. Time zone: ${zone}.`)}
    ${field({ name: 'environment', label: 'Environment (optional)', value: form.environment, hint: '* stands for any text, such as eu-*. Leave empty for all.', error: problems.environment, attributes: { maxlength: 200, spellcheck: 'false' } })}
    ${textArea({
      name: 'tags',
      label: 'Tags (optional)',
      value: form.tags.join('\n'),
      hint: 'One per line, such as service=shop or cluster=eu-*. All of them have to match.',
      error: problems.tags,
      attributes: { spellcheck: 'false' }
    })}
    ${problems.everything && html`<p class="error" id="everything-error">To mute the whole project, say so here and leave the environment and the tags empty.</p>`}
    ${checkbox({ name: 'everything', value: 'true', label: 'Mute everything in the project', isChecked: form.isEverything })}`
}
