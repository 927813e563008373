import { checkbox, field, selectField, textArea } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import type { Place } from '#projects/place.ts'
import { idleTriggersOf, triggersOf } from '../triggers.ts'
import { pairFields } from './pair-fields.ts'
import { type StoredSecrets, secretFields } from './secret-fields.ts'
import type { WebhookForm } from './webhook-form.ts'

interface Options {
  place: Place
  problems: Problems
  /** Of a webhook that exists. */
  stored?: StoredSecrets | undefined
}

const strategies: [string, string][] = [
  ['all_branches', 'All branches'],
  ['wildcard', 'Branches that match a wildcard'],
  ['regex', 'Branches that match a regular expression']
]

export function webhookFields(form: WebhookForm, options: Options) {
  const { problems, stored } = options

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${addressFields(form, options)}
    ${triggerFields(form, options)}
    ${branchFields(form, problems)}
    <h2>Security</h2>
    ${checkbox({ name: 'enable_ssl_verification', value: 'true', label: 'Verify the certificate', hint: 'Clear it only for a receiver whose certificate you issued yourself.', isChecked: form.verifiesTls })}
    ${secretFields(form, problems, stored)}
    <h2>Request</h2>
    ${pairFields('header', form.headers, {
      legend: 'Custom headers (optional)',
      hint: 'Sent with each request. Their values are stored encrypted and never shown.',
      example: 'X-Api-Key',
      error: problems.custom_headers
    })}
    ${templateField(form, problems)}`
}

function addressFields(form: WebhookForm, { problems, stored }: Options) {
  return html`
    ${field({
      name: 'url',
      label: 'URL',
      value: form.url,
      hint: `${stored ? 'With another URL, tokens, custom headers and URL variables are deleted unless you enter them again. ' : ''}Write {name} for a part that is secret, and its value below.`,
      error: problems.url,
      isRequired: true,
      autocomplete: 'off',
      attributes: {
        inputmode: 'url',
        class: 'address',
        maxlength: 2000,
        spellcheck: 'false',
        autocapitalize: 'none',
        placeholder: 'https://example.com/hook'
      }
    })}
    ${pairFields('variable', form.variables, {
      legend: 'URL variables (optional)',
      hint: 'Values for {name} in the URL, stored encrypted and never shown.',
      example: 'name',
      error: problems.url_variables
    })}
    ${field({ name: 'name', label: 'Name (optional)', value: form.name, error: problems.name, attributes: { maxlength: 255 } })}
    ${textArea({ name: 'description', label: 'Description (optional)', value: form.description, error: problems.description, attributes: { rows: 2, maxlength: 2048 } })}`
}

function templateField({ template }: WebhookForm, { custom_webhook_template: error }: Problems) {
  return html`
    <details class="values"${attributes({ open: template !== '' || error !== undefined })}>
      <summary>Custom template (optional)</summary>
      ${textArea({
        name: 'custom_webhook_template',
        label: 'Body of requests',
        value: template,
        hint: 'JSON of your own. {{object_attributes.title}} stands for that field of the usual body.',
        error,
        attributes: { class: 'code', rows: 5, maxlength: 4096, spellcheck: 'false' }
      })}
    </details>`
}

function triggerFields({ events }: WebhookForm, { place }: Options) {
  const idle = idleTriggersOf(place)
  const box = ({ flag, ...texts }: { flag: string; label: string; hint?: string }) =>
    checkbox({ name: 'events', value: flag, ...texts, isChecked: events.includes(flag) })

  return html`
    <fieldset>
      <legend><h2>Triggers</h2></legend>
      ${place === 'system' && html`<p class="hint">Creation, deletion and changes of projects, groups, members, users and keys are always sent.</p>`}
      <div class="trigger-boxes">${triggersOf(place).map(box)}</div>
      <details${attributes({ open: idle.some(({ flag }) => events.includes(flag)) })}>
        <summary>Further triggers of GitLab</summary>
        <p class="hint">They are stored, and nothing comes: what they are about does not exist here.</p>
        <div class="trigger-boxes">${idle.map(box)}</div>
      </details>
    </fieldset>`
}

function branchFields({ strategy, filter }: WebhookForm, problems: Problems) {
  return html`
    <div class="branches">
      ${selectField({ name: 'branch_filter_strategy', label: 'Pushes to', value: strategy, options: strategies, error: problems.branch_filter_strategy && 'Choose one.' })}
      ${field({
        name: 'push_events_branch_filter',
        label: 'Branches',
        value: filter,
        hint: 'Such as release/* or, as a regular expression, ^(main|release/.+)$',
        error: problems.push_events_branch_filter,
        attributes: { class: 'address', maxlength: 5000, spellcheck: 'false', autocapitalize: 'none' }
      })}
    </div>`
}
