import Type from 'typebox'
import type { GroupChanges } from '#errors/groups/change-group.ts'
import { ErrorChanges } from '#errors/groups/group-schemas.ts'
import { Form } from '../layout/form.ts'
import { attributes, type Html, html } from '../layout/html.ts'

/** The REST API takes minutes. */
const units = { ignored_for_hours: 'hours', ignored_for_events: 'more events', ignored_for_users: 'more users' } as const

/** The number is one of the unit. */
export const StatusForm = Type.Object({
  ...Type.Omit(ErrorChanges, ['assignee_id']).properties,
  unit: Type.Optional(Type.Enum(Object.keys(units) as (keyof typeof units)[])),
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))
})

export function changesOf({ unit, number, ...changes }: Type.Static<typeof StatusForm>): GroupChanges {
  if (unit === undefined || number === undefined) return changes

  return { ...changes, ...(unit === 'ignored_for_hours' ? { ignored_for: number * 60 } : { [unit]: number }) }
}

/** Ways to ignore an error: the name of the field, and its unit. */
const presets: [field: string, options: [value: number | undefined, label: string][]][] = [
  [
    'ignored_for',
    [
      [60, 'For 1 hour'],
      [1440, 'For 1 day'],
      [10_080, 'For 1 week']
    ]
  ],
  [
    'ignored_for_events',
    [
      [10, 'Until 10 more events'],
      [100, 'Until 100 more events'],
      [1000, 'Until 1,000 more events']
    ]
  ],
  [
    'ignored_for_users',
    [
      [10, 'Until 10 more users'],
      [100, 'Until 100 more users']
    ]
  ],
  ['', [[undefined, 'Until I reopen it']]]
]

/** Each way of ignoring an error is a form, so that it works without a script. */
export function ignoreChoices(form: (action: string, content: Html) => Html, status: Form<typeof StatusForm> = new Form(StatusForm)) {
  return html`${presets.map(([name, options]) => form('status', choice(name, options)))}${form('status', otherNumber(status))}`
}

function choice(name: string, options: [value: number | undefined, label: string][]) {
  return html`<input type="hidden" name="status" value="ignored">
    ${options.map(([value, label]) => html`<button${attributes({ class: 'quiet', name: name || undefined, value })}>${label}</button>`)}`
}

function otherNumber(form: Form<typeof StatusForm>) {
  const attributes = { min: 1, max: 1_000_000, inputmode: 'numeric' }

  return html`
    <input type="hidden" name="status" value="ignored">
    <div class="custom">
      ${form.field('number', { label: 'Other limit', id: 'ignore-number', type: 'number', isRequired: true, attributes })}
      ${form.select('unit', { label: 'Unit', id: 'ignore-unit', options: Object.entries(units) })}
      <button class="plain small">Ignore</button>
    </div>`
}
