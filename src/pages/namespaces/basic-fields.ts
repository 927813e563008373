import type { Visibility } from '#namespaces/namespace.ts'
import { field, selectField, textArea } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'

/** What a project and a group have in common, as it is typed. */
export interface BasicForm {
  name: string
  path: string
  description: string
  visibility: string
}

const visibilities: [Visibility, string][] = [
  ['private', 'Private: its members see it'],
  ['internal', 'Internal: everyone who is signed in sees it'],
  ['public', 'Public: everyone sees it']
]

/** The name suggests the path: without a script, an empty path is derived from the name. */
export function nameAndPath(form: BasicForm, problems: Problems) {
  return html`
    ${nameField(form, problems)}
    ${field({
      name: 'path',
      label: 'Path (optional)',
      value: form.path,
      hint: 'Part of the address. Empty: it is made from the name.',
      error: problems.name ? undefined : problems.path,
      attributes: pathAttributes
    })}`
}

export const pathAttributes = { maxlength: 255, spellcheck: 'false', autocapitalize: 'none', class: 'address' }

export function nameField({ name }: BasicForm, problems: Problems) {
  const attributes = { maxlength: 255, 'data-suggests': 'path' }

  return field({ name: 'name', label: 'Name', value: name, error: problems.name, isRequired: true, attributes })
}

export function descriptionField({ description }: BasicForm, problems: Problems) {
  const attributes = { maxlength: 2000 }

  return textArea({ name: 'description', label: 'Description (optional)', value: description, error: problems.description, attributes })
}

export function visibilityField({ visibility }: BasicForm, problems: Problems) {
  const error = problems.visibility ?? problems.visibility_level

  return selectField({ name: 'visibility', label: 'Visibility', value: visibility, options: visibilities, error })
}
