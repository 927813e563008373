import { attributes, type Html, html } from '../layout/html.ts'

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
export function ignoreChoices(form: (action: string, content: Html) => Html) {
  return html`${presets.map(([name, options]) => form('status', choice(name, options)))}${form('status', otherNumber())}`
}

function choice(name: string, options: [value: number | undefined, label: string][]) {
  return html`<input type="hidden" name="status" value="ignored">
    ${options.map(([value, label]) => html`<button${attributes({ class: 'quiet', name: name || undefined, value })}>${label}</button>`)}`
}

const units: [field: string, label: string][] = [
  ['ignored_for_hours', 'hours'],
  ['ignored_for_events', 'more events'],
  ['ignored_for_users', 'more users']
]

/** The button that is pressed names the field of the number. */
function otherNumber() {
  return html`
    <input type="hidden" name="status" value="ignored">
    <label class="other-number" for="ignore-number">Another number</label>
    <input type="number" id="ignore-number" name="number" min="1" max="1000000" required inputmode="numeric">
    <span class="units">${units.map(([field, label]) => html`<button class="plain small" name="unit" value="${field}">${label}</button>`)}</span>`
}
