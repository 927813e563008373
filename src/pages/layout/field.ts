import type { FastifyRequest } from 'fastify'
import { csrfTokenOf } from '../../http/guards/csrf.ts'
import { attributes, type Html, html } from './html.ts'

interface Form {
  /** The page's own address when left out. */
  action?: string
  class?: string
}

/** A form that this server will take: it holds what only a page of ours can know. */
export function formOf(request: FastifyRequest, { action, class: name }: Form, content: Html) {
  const token = csrfTokenOf(request)

  return html`
    <form method="post"${attributes({ action, class: name })}>
      ${token && html`<input type="hidden" name="csrf_token" value="${token}">`}
      ${content}
    </form>`
}

interface Field {
  name: string
  label: string
  value?: string
  /** Where a name stands in two forms of a page. */
  id?: string
  hint?: string
  error?: string
  isRequired?: boolean
  autocomplete?: string
  /** The rest of what the tag takes, as it stands in HTML. */
  with?: Record<string, string | number | boolean | undefined>
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
  /** Each with a line that explains it. */
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

/** What is to be copied: a click or the tab key selects all of it where the browser does so. */
export function secretField({ isNews, ...given }: Field & { isNews?: boolean }) {
  return field({ ...given, with: { readonly: true, class: 'secret', spellcheck: 'false', autofocus: isNews } })
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

/** Whoever comes back with an error is taken to its field. */
function basics({ name, id = name, hint, error, isRequired, autocomplete, with: others }: Field) {
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
