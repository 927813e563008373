import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkbox, field, formOf, selectField, textArea } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { PagePlace } from '#pages/namespaces/page-place.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import type { CiVariable } from './variable.ts'
import type { VariableForm } from './variable-form.ts'

interface FormView {
  form: VariableForm
  problems?: Problems
}

const title = 'New CI variable'
const masked = 'Masked: runners hide it in logs'
const hidden = 'Masked and hidden: also never shown again'
const maskedHint =
  'The API shows visible and masked values to those who manage variables, and never shows hidden ones. A masked or hidden value needs 8 or more characters, on one line and without spaces.'

export function showNewVariable(reply: FastifyReply, place: PagePlace, { form, problems = {} }: FormView) {
  const buttons = html`<p class="actions"><button>Create variable</button> <a class="button plain" href="${place.url}">Cancel</a></p>`

  return place.show(
    reply,
    title,
    html`
    ${trail(place)}
    <h1>${title}</h1>
    <div class="column">${formOf(reply.request, { action: place.url }, html`${fields(place, { form, problems })}${buttons}`)}</div>`
  )
}

export function showVariable(reply: FastifyReply, place: PagePlace, variable: CiVariable, { form, problems = {} }: FormView) {
  const url = `${place.url}/${variable.id}`

  return place.show(
    reply,
    variable.key,
    html`
    ${trail(place)}
    <h1>${variable.key}</h1>
    <div class="column">
      ${formOf(reply.request, { action: url }, html`${fields(place, { form, problems }, variable)}<button>Save variable</button>`)}
      ${removal(reply.request, url)}
    </div>`
  )
}

function trail({ url }: PagePlace) {
  return html`<p class="back"><a href="${url}">CI variables</a></p>`
}

function fields({ owner }: PagePlace, { form, problems = {} }: FormView, stored?: CiVariable) {
  const error = (name: string) => problems[name]
  const valueHint = stored ? 'The stored value is not shown. Leave this empty to keep it.' : undefined

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${field({ name: 'key', label: 'Name', value: form.key, isRequired: true, error: error('key'), hint: 'Such as DEPLOY_TOKEN.', attributes: { maxlength: 255, spellcheck: 'false' } })}
    ${textArea({ name: 'value', label: 'Value', value: form.value, hint: valueHint, error: error('value'), attributes: { spellcheck: 'false' } })}
    ${selectField({ name: 'variable_type', label: 'Type', value: form.type, error: error('variable_type'), hint: 'Jobs find the path of a file in the variable, and the value in the file.', options: typeOptions })}
    ${selectField({ name: 'visibility', label: 'Visibility', value: form.visibility, error: error('masked'), hint: maskedHint, options: visibilities(stored) })}
    ${owner.place !== 'system' && field({ name: 'environment_scope', label: 'Environments', value: form.environmentScope, error: error('environment_scope'), hint: 'An environment such as production, a pattern such as review/*, or * for all jobs.' })}
    ${field({ name: 'description', label: 'Description', value: form.description, error: error('description') })}
    ${checkbox({ name: 'protected', value: 'true', label: 'Protected', hint: 'Only jobs of the default branch get it.', isChecked: form.isProtected })}
    ${checkbox({ name: 'raw', value: 'true', label: 'Raw', hint: 'A $NAME in the value is not replaced by the variable NAME.', isChecked: form.isRaw })}`
}

const typeOptions: [string, string][] = [
  ['env_var', 'Variable'],
  ['file', 'File']
]

/** A hidden variable stays hidden. */
function visibilities(stored?: CiVariable): [string, string][] {
  if (stored?.isHidden) return [['hidden', hidden]]
  const options: [string, string][] = [
    ['visible', 'Visible'],
    ['masked', masked]
  ]

  return stored ? options : [...options, ['hidden', hidden]]
}

function removal(request: FastifyRequest, url: string) {
  return html`
    <section class="danger">
      <h2>Delete the variable</h2>
      <p>Jobs that start from now on do not get it.</p>
      <details>
        <summary>Delete…</summary>
        ${formOf(request, { action: `${url}/removal` }, html`<button>Delete the variable</button>`)}
      </details>
    </section>`
}
