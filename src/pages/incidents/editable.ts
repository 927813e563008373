import type { FastifyRequest } from 'fastify'
import { type EditableField, versionOf } from '#incidents/edit-incident.ts'
import { type Html, html } from '../layout/html.ts'
import { controlOf } from './field-controls.ts'
import type { IncidentContext } from './incident-context.ts'
import { formOfIssue } from './issue-form.ts'
import { type RefusedForm, refusalOf, refusedForm } from './refused-form.ts'

/** A value and a link to edit it; or the form, which opens in its place. */
export async function editable(
  request: FastifyRequest,
  context: IncidentContext,
  name: EditableField,
  view: (edit: Html) => Html,
  refusal?: RefusedForm
) {
  const { row, incidentUrl } = context
  const isEdited = refusal ? refusal.name === name : (request.query as { edit?: string }).edit === name

  if (!isEdited)
    return view(
      html`<a class="edit" href="${incidentUrl}?edit=${name}#edit-${name}">Edit<span class="visually-hidden"> ${name.replace('_', ' ')}</span></a>`
    )

  const form = refusedForm(refusal, name) ?? formOfIssue(row)

  return html`
    <div class="editing" id="edit-${name}">
      ${refusalOf(refusal, name)}
      ${form.render(
        request,
        { action: `${incidentUrl}/edit/${name}` },
        html`
        <input type="hidden" name="version" value="${versionOf(row, name)}">
        ${await controlOf(name, { request, context, form, values: row })}
        <p class="row"><button class="small">Save</button> <a class="button plain small" href="${incidentUrl}">Cancel</a></p>`
      )}
    </div>`
}
