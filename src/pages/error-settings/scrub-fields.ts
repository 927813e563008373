import Type from 'typebox'
import { maxPreviewLength, previewScrubbing } from '#errors/scrub/preview-scrubbing.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { counted } from '#lib/counted.ts'
import { textArea } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { scrubbedJson } from './scrubbed-json.ts'

export const ScrubFields = Type.Pick(SettingChanges, ['scrubbing', 'scrubbed_keys', 'safe_keys', 'keep_ip_addresses'])
export type ScrubForm = Form<typeof ScrubFields>

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

export function ruleFields(form: ScrubForm) {
  const keys = {
    invalid: 'Use at most 100 lines of at most 100 characters, each with a letter or digit.',
    attributes: { rows: 4, spellcheck: 'false' }
  }

  return html`
    ${form.checkbox('scrubbing', { label: 'Remove secrets before events are stored', hint: 'Passwords, tokens, keys, card numbers and the like, by their names and formats.' })}
    ${form.textArea('scrubbed_keys', { label: 'Additional names to scrub (optional)', hint: 'One per line. They also match as words in longer names: “shoe” matches shoe_size.', ...keys })}
    ${form.textArea('safe_keys', { label: 'Names to keep (optional)', hint: 'One per line. Values of these names are never removed.', ...keys })}
    ${form.checkbox('keep_ip_addresses', { label: 'Store IP addresses', hint: 'If off, they are removed from events.' })}`
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
export function previewSection(sample: string, form: ScrubForm) {
  const preview = previewScrubbing(sample, {
    isEnabled: form.isChecked('scrubbing'),
    keepsIpAddresses: form.isChecked('keep_ip_addresses'),
    extraKeys: form.list('scrubbed_keys'),
    safeKeys: form.list('safe_keys')
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
