import type { FastifyRequest } from 'fastify'
import { csrfTokenOf } from '#api/guards/csrf.ts'
import { attributes, type Html, html } from './html.ts'
import { formIdOf } from './sent-forms.ts'

export interface FormTag {
  /** Defaults to the current URL. */
  action?: string
  class?: string
  /** Its parts with `data-previewed` follow what is typed. */
  isPreviewed?: boolean
}

/** A form with its CSRF token. */
export function formOf(request: FastifyRequest, { action, class: name, isPreviewed }: FormTag, content: Html) {
  const token = csrfTokenOf(request)

  return html`
    <form method="post"${attributes({ action, class: name, 'data-preview': isPreviewed })}>
      ${token && html`<input type="hidden" name="csrf_token" value="${token}"><input type="hidden" name="form_id" value="${formIdOf(request)}">`}
      ${content}
    </form>`
}

export interface Field {
  name: string
  label: string
  value?: string
  /** Set it when a name occurs in two forms of a page. */
  id?: string
  hint?: string
  error?: string
  isRequired?: boolean
  autocomplete?: string
  /** Further HTML attributes. */
  attributes?: Record<string, string | number | boolean | undefined>
}

export function field({ type = 'text', value, ...given }: Field & { type?: string }) {
  return labelled(given, html`<input type="${type}"${attributes({ ...basics(given), value })}>`)
}

export function textArea({ value = '', ...given }: Field) {
  return labelled(given, html`<textarea${attributes({ rows: 3, ...basics(given) })}>${value}</textarea>`)
}

export function selectField({ options, value, ...given }: Field & { options: [value: string, label: string][] }) {
  return labelled(
    given,
    html`<select${attributes(basics(given))}>${options.map(
      ([one, label]) => html`<option${attributes({ value: one, selected: one === value })}>${label}</option>`
    )}</select>`
  )
}

interface Choice {
  name: string
  value: string
  label: string
  hint?: string
  isChecked?: boolean
}

export function checkbox({ name, value, label, hint, isChecked }: Choice) {
  const id = `${name}-${value}`

  return html`
    <div class="choice">
      <input type="checkbox"${attributes({ id, name, value, checked: isChecked, 'aria-describedby': hint && `${id}-hint` })}>
      <label for="${id}">${label}</label>
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    </div>`
}

interface Choices {
  name: string
  legend: string
  options: [value: string, hint: string][]
  chosen: string[]
  error?: string
}

export function checkboxes({ name, legend, options, chosen, error }: Choices) {
  return html`
    <fieldset${attributes({ 'aria-describedby': error && `${name}-error` })}>
      <legend>${legend}</legend>
      ${error && html`<p class="error" id="${name}-error">${error}</p>`}
      ${options.map(([value, hint]) => checkbox({ name, value, label: value, hint, isChecked: chosen.includes(value) }))}
    </fieldset>`
}

/** A read-only field to copy a secret from. */
export function secretField({ isFocused, ...given }: Field & { isFocused?: boolean }) {
  return field({ ...given, attributes: { readonly: true, class: 'secret', spellcheck: 'false', autofocus: isFocused } })
}

function labelled({ name, label, id = name, hint, error }: Field, control: Html) {
  return html`
    <div class="field">
      <label for="${id}">${label}</label>
      ${control}
      ${error && html`<p class="error" id="${id}-error">${error}</p>`}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    </div>`
}

/** A field with an error gets the focus. */
function basics({ name, id = name, hint, error, isRequired, autocomplete, attributes: others }: Field) {
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')

  return {
    id,
    name,
    required: isRequired,
    autocomplete,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error && 'true',
    autofocus: Boolean(error),
    ...others
  }
}
