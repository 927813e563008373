import Type from 'typebox'
import type { Visibility } from '#namespaces/namespace.ts'
import { toPath } from '#namespaces/paths.ts'
import { NewGroupBody } from '#projects/groups/group-schemas.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'

const { name, description, visibility } = NewGroupBody.properties

/** What a project and a group have in common. */
export const BasicFields = Type.Object({ name, description, visibility })
/** Fields of a new project or group: an empty path is made from the name. */
export const NewBasics = Type.Object({ ...BasicFields.properties, path: Type.String({ maxLength: 255 }) })

export const blankBasics = { visibility: 'private' }

export function toNewBody({ path, ...body }: Type.Static<typeof NewBasics>) {
  return { visibility: 'private' as const, ...body, path: path || toPath(body.name) }
}

const visibilities: [Visibility, string][] = [
  ['private', 'Private: visible to members'],
  ['internal', 'Internal: visible to all signed-in users'],
  ['public', 'Public: visible to everyone']
]

/** The name suggests the path: without a script, an empty path is derived from the name. */
export function nameAndPath(form: Form<typeof NewBasics>) {
  return html`
    ${nameField(form)}
    ${form.field('path', {
      label: 'Path (optional)',
      hint: 'Used in the URL. Leave empty to use the name.',
      ...(form.problems.name && { error: undefined }),
      isRequired: false,
      attributes: pathAttributes
    })}`
}

export const pathAttributes = { maxlength: 255, spellcheck: 'false', autocapitalize: 'none', class: 'address' }

export function nameField(form: Form<typeof BasicFields>) {
  return form.field('name', { label: 'Name', attributes: { 'data-suggests': 'path' } })
}

export function descriptionField(form: Form<typeof BasicFields>) {
  return form.textArea('description', { label: 'Description (optional)' })
}

export function visibilityField(form: Form<typeof BasicFields>) {
  return form.select('visibility', { label: 'Visibility', options: visibilities, reasons: ['visibility_level'] })
}
