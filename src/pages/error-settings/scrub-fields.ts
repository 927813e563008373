import { maxPreviewLength, previewScrubbing } from '#errors/scrub/preview-scrubbing.ts'
import { counted } from '#lib/counted.ts'
import { checkbox, textArea } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'
import { scrubbedJson } from './scrubbed-json.ts'

export interface ScrubValues {
  scrubbing: boolean
  scrubbed_keys: string[]
  safe_keys: string[]
  keep_ip_addresses: boolean
}

export const exampleEvent = JSON.stringify(
  {
    message: 'Payment of 4111 1111 1111 1111 failed',
    user: { email: 'ada@example.com', ip_address: '203.0.113.7' },
    request: { url: 'https://shop.example.com/pay?token=cGFzc3dvcmQ', headers: { Authorization: 'Bearer c2VjcmV0LXRva2Vu' } },
    extra: { password: 'hunter2', shoe_size: 44 }
  },
  undefined,
  2
)

export function ruleFields(values: ScrubValues, problems: Problems) {
  const option = (name: 'scrubbing' | 'keep_ip_addresses', label: string, hint: string) =>
    checkbox({ name, value: 'true', label, hint, isChecked: values[name] })
  const keys = (name: 'scrubbed_keys' | 'safe_keys', label: string, hint: string) =>
    textArea({ name, label, value: values[name].join('\n'), hint, error: problems[name], attributes: { rows: 4, spellcheck: 'false' } })

  return html`
    ${option('scrubbing', 'Remove secrets before events are stored', 'Passwords, tokens, keys, card numbers and the like, by their names and formats.')}
    ${keys('scrubbed_keys', 'Further names to scrub (optional)', 'One per line. They match as words in longer names, too: “shoe” matches shoe_size.')}
    ${keys('safe_keys', 'Names to keep (optional)', 'One per line. Values of these names are never removed.')}
    ${option('keep_ip_addresses', 'Store IP addresses', 'Otherwise they are removed from events.')}`
}

export function sampleField(sample: string) {
  return html`
    ${textArea({
      name: 'sample',
      label: 'An event',
      value: sample,
      hint: 'JSON, as an SDK sends it. It is neither stored nor logged.',
      autocomplete: 'off',
      attributes: { rows: 10, spellcheck: 'false', class: 'code', maxlength: maxPreviewLength }
    })}
    <p class="actions">
      <button class="plain" name="step" value="preview">Preview</button>
      <button class="plain" name="step" value="latest">Use the last received event</button>
    </p>`
}

/** The event as it would be stored. It is replaced while the form is edited. */
export function previewSection(sample: string, values: ScrubValues) {
  const preview = previewScrubbing(sample, {
    isEnabled: values.scrubbing,
    keepsIpAddresses: values.keep_ip_addresses,
    extraKeys: values.scrubbed_keys,
    safeKeys: values.safe_keys
  })
  const { view, replaced = 0, removed = 0 } = preview ? scrubbedJson(preview.event, preview.scrubbed) : {}

  return html`
    <section id="scrub-preview" data-previewed aria-labelledby="scrub-preview-title">
      <h2 id="scrub-preview-title">As stored</h2>
      ${
        view
          ? html`<p class="hint" role="status">${counted(replaced, 'value')} replaced, ${removed} removed with the rules of this form.</p>
              <pre class="scrubbed" tabindex="0" aria-label="Scrubbed event">${view}</pre>`
          : html`<p class="problem" role="alert">This is not a JSON object of at most ${maxPreviewLength} characters.</p>`
      }
    </section>`
}
