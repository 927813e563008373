import { checkbox, field, textArea } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import type { Problems } from '../page-context.ts'

export interface DataValues {
  scrubbing: boolean
  scrubbed_keys: string[]
  safe_keys: string[]
  keep_ip_addresses: boolean
  retention_days: number | null
  events_per_minute: number | null
  spike_protection: boolean
}

const maxSampleLength = 100_000
const example = JSON.stringify(
  { message: 'Payment failed', user: { email: 'ada@example.com', ip_address: '203.0.113.7' }, extra: { password: 'hunter2' } },
  undefined,
  2
)

interface Fields {
  values: DataValues
  problems: Problems
  sample?: string
  preview?: string
  /** The retention of the installation. */
  maxDays: number
}

export function dataFields({ values, problems, sample = example, preview, maxDays }: Fields) {
  const option = (name: keyof DataValues, label: string, hint: string) =>
    checkbox({ name, value: 'true', label, hint, isChecked: values[name] === true })
  const keys = (name: 'scrubbed_keys' | 'safe_keys', label: string, hint: string) =>
    textArea({ name, label, value: values[name].join('\n'), hint, error: problems[name], attributes: { rows: 3, spellcheck: 'false' } })
  const number = (name: 'retention_days' | 'events_per_minute', label: string, hint: string) =>
    field({
      name,
      label,
      value: values[name] === null ? '' : String(values[name]),
      hint,
      error: problems[name],
      attributes: { class: 'short', inputmode: 'numeric' }
    })

  return html`
    <h2>Scrubbing</h2>
    ${option('scrubbing', 'Remove secrets before events are stored', 'Passwords, tokens, keys, card numbers and the like, by their names and formats.')}
    ${keys('scrubbed_keys', 'Further names to scrub (optional)', 'One per line. They match as words in longer names, too.')}
    ${keys('safe_keys', 'Names to keep (optional)', 'One per line. Values of these names are never removed.')}
    ${option('keep_ip_addresses', 'Store IP addresses', 'Otherwise they are removed from events.')}
    <h2>Preview</h2>
    ${textArea({
      name: 'sample',
      label: 'An event',
      value: sample,
      hint: 'JSON. It is shown as it would be stored, and not stored itself.',
      error: problems.sample,
      autocomplete: 'off',
      attributes: { rows: 8, spellcheck: 'false', class: 'code', maxlength: maxSampleLength }
    })}
    <p><button class="plain" name="action" value="preview">Preview</button></p>
    ${preview !== undefined && html`<section class="recipe" role="status"><figure><figcaption>As stored with the settings above, which are not saved yet</figcaption><pre tabindex="0" aria-label="Scrubbed event">${preview}</pre></figure></section>`}
    <h2>Limits</h2>
    ${number('retention_days', 'Keep events for days (optional)', `At most ${maxDays}, the retention of this installation. Empty: as long.`)}
    ${number('events_per_minute', 'Events a minute (optional)', 'Further events are refused with 429, and SDKs wait. Empty: no limit.')}
    ${option('spike_protection', 'Spike protection', 'During a spike, the first events of each minute are stored and the others only counted.')}
    <button>Save</button>`
}
