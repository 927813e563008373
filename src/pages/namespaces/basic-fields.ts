import type { Visibility } from '../../namespaces/namespace.ts'
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

export const visibilities: [Visibility, string][] = [
  ['private', 'Private: its members see it'],
  ['internal', 'Internal: everyone who is signed in sees it'],
  ['public', 'Public: everyone sees it']
]

/** The name suggests the path: without a script, an empty path is derived from the name. */
export function nameAndPath({ name, path }: BasicForm, problems: Problems) {
  return html`
    ${field({ name: 'name', label: 'Name', value: name, error: problems.name, isRequired: true, attributes: { maxlength: 255, 'data-suggests': 'path' } })}
    ${field({
      name: 'path',
      label: 'Path (optional)',
      value: path,
      hint: 'Part of the address. Empty: it is made from the name.',
      error: problems.name ? undefined : problems.path,
      attributes: { maxlength: 255, spellcheck: 'false', autocapitalize: 'none', class: 'address' }
    })}`
}

export function descriptionAndVisibility({ description, visibility }: BasicForm, problems: Problems) {
  return html`
    ${textArea({ name: 'description', label: 'Description (optional)', value: description, error: problems.description, attributes: { maxlength: 2000 } })}
    ${selectField({
      name: 'visibility',
      label: 'Visibility',
      value: visibility,
      options: visibilities,
      error: problems.visibility ?? problems.visibility_level
    })}`
}
