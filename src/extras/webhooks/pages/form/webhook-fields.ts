import { attributes, html } from '#pages/layout/html.ts'
import type { OwnerKind } from '#projects/owner.ts'
import { idleTriggersOf, triggersOf } from '../triggers.ts'
import { pairFields } from './pair-fields.ts'
import { type StoredSecrets, secretFields } from './secret-fields.ts'
import type { WebhookForm } from './webhook-form.ts'

type Fields = WebhookForm['fields']

interface Options {
  ownerKind: OwnerKind
  /** Undefined for a new webhook. */
  stored?: StoredSecrets | undefined
}

const strategies: [string, string][] = [
  ['all_branches', 'All branches'],
  ['wildcard', 'Branches that match a wildcard'],
  ['regex', 'Branches that match a regular expression']
]

export function webhookFields(form: WebhookForm, options: Options) {
  const { fields, headers } = form

  return html`
    ${addressFields(form, options)}
    ${triggerFields(fields, options)}
    ${branchFields(fields)}
    <h2>Security</h2>
    ${fields.checkbox('enable_ssl_verification', { label: 'Verify the certificate', hint: 'Turn off only for self-signed certificates.' })}
    ${secretFields(fields, options.stored)}
    <h2>Request</h2>
    ${pairFields('header', headers, {
      legend: 'Custom headers (optional)',
      hint: 'Sent with each request. Their values are stored encrypted and never shown.',
      example: 'X-Api-Key',
      error: fields.error('custom_headers')
    })}
    ${templateField(fields)}`
}

function addressFields({ fields, variables }: WebhookForm, { stored }: Options) {
  return html`
    ${fields.field('url', {
      label: 'URL',
      hint: `${stored ? 'If you change the URL, tokens, custom headers and URL variables are deleted unless you enter them again. ' : ''}Write {name} for a secret part, and enter its value below.`,
      autocomplete: 'off',
      attributes: {
        inputmode: 'url',
        class: 'address',
        spellcheck: 'false',
        autocapitalize: 'none',
        placeholder: 'https://example.com/hook'
      }
    })}
    ${pairFields('variable', variables, {
      legend: 'URL variables (optional)',
      hint: 'Values for {name} in the URL, stored encrypted and never shown.',
      example: 'name',
      error: fields.error('url_variables')
    })}
    ${fields.field('name', { label: 'Name (optional)' })}
    ${fields.textArea('description', { label: 'Description (optional)', attributes: { rows: 2 } })}`
}

function templateField(fields: Fields) {
  const name = 'custom_webhook_template'

  return html`
    <details class="values"${attributes({ open: fields.text(name) !== '' || fields.error(name) !== undefined })}>
      <summary>Custom template (optional)</summary>
      ${fields.textArea(name, {
        label: 'Body of requests',
        hint: 'Your own JSON. {{object_attributes.title}} is replaced with that field of the usual body.',
        attributes: { class: 'code', rows: 5, spellcheck: 'false' }
      })}
    </details>`
}

function triggerFields(fields: Fields, { ownerKind }: Options) {
  const idle = idleTriggersOf(ownerKind)
  const box = ({ flag, ...texts }: { flag: string; label: string; hint?: string }) => fields.choice('events', flag, texts)

  return html`
    <fieldset>
      <legend><h2>Triggers</h2></legend>
      ${ownerKind === 'system' && html`<p class="hint">Creation, deletion and changes of projects, groups, members, users and keys are always sent.</p>`}
      <div class="trigger-boxes">${triggersOf(ownerKind).map(box)}</div>
      <details${attributes({ open: idle.some(({ flag }) => fields.list('events').includes(flag)) })}>
        <summary>Other GitLab triggers</summary>
        <p class="hint">They are stored but never fire, because these features do not exist here.</p>
        <div class="trigger-boxes">${idle.map(box)}</div>
      </details>
    </fieldset>`
}

function branchFields(fields: Fields) {
  return html`
    <div class="branches">
      ${fields.select('branch_filter_strategy', { label: 'Pushes to', invalid: 'Choose one.', options: strategies })}
      ${fields.field('push_events_branch_filter', {
        label: 'Branches',
        hint: 'Such as release/* or, as a regular expression, ^(main|release/.+)$',
        attributes: { class: 'address', spellcheck: 'false', autocapitalize: 'none' }
      })}
    </div>`
}
