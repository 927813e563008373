import type { FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from '#pages/layout/field.ts'
import type { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import type { CiVariable } from './variable.ts'
import type { VariableForm } from './variable-form.ts'

type Fields = Form<typeof VariableForm>

const title = 'New CI variable'
const masked = 'Masked: runners hide it in logs'
const hidden = 'Masked and hidden: also never shown again'
const maskedHint =
  'The API shows visible and masked values to those who manage variables, and never shows hidden ones. A masked or hidden value needs 8 or more characters, on one line and without spaces.'

export function showNewVariable(reply: FastifyReply, context: OwnerContext, form: Fields) {
  const buttons = html`<p class="actions"><button>Create variable</button> <a class="button plain" href="${context.url}">Cancel</a></p>`

  return context.show(
    reply,
    title,
    html`
    ${trail(context)}
    <h1>${title}</h1>
    <div class="column">${form.render(reply.request, { action: context.url }, html`${fields(context, form)}${buttons}`)}</div>`
  )
}

export function showVariable(reply: FastifyReply, context: OwnerContext, variable: CiVariable, form: Fields) {
  const url = `${context.url}/${variable.id}`

  return context.show(
    reply,
    variable.key,
    html`
    ${trail(context)}
    <h1>${variable.key}</h1>
    <div class="column">
      ${form.render(reply.request, { action: url }, html`${fields(context, form, variable)}<button>Save variable</button>`)}
      ${removal(reply.request, url)}
    </div>`
  )
}

function trail({ url }: OwnerContext) {
  return html`<p class="back"><a href="${url}">CI variables</a></p>`
}

function fields({ owner }: OwnerContext, form: Fields, stored?: CiVariable) {
  const valueHint = stored ? 'The stored value is not shown. Leave this empty to keep it.' : undefined

  return html`
    ${form.field('key', { label: 'Name', hint: 'Such as DEPLOY_TOKEN.', invalid: 'Enter a name of letters, digits and _, up to 255 characters.', attributes: { maxlength: 255, spellcheck: 'false' } })}
    ${form.textArea('value', { label: 'Value', hint: valueHint, invalid: 'A value has at most 10,000 characters.', attributes: { maxlength: undefined, spellcheck: 'false' } })}
    ${form.select('variable_type', { label: 'Type', hint: 'For a file, the variable holds the path, and the file holds the value.', options: typeOptions })}
    ${form.select('visibility', { label: 'Visibility', hint: maskedHint, reasons: ['masked'], options: visibilities(stored) })}
    ${owner.kind !== 'system' && form.field('environment_scope', { label: 'Environments', hint: 'An environment such as production, a pattern such as review/*, or * for all jobs.' })}
    ${form.field('description', { label: 'Description' })}
    ${form.checkbox('protected', { label: 'Protected', hint: 'Only jobs on the default branch receive it.' })}
    ${form.checkbox('raw', { label: 'Raw', hint: 'A $NAME in the value is not replaced by the variable NAME.' })}`
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
