import type { FastifyRequest } from 'fastify'
import type { SavedSearch } from '#errors/search/saved-search.ts'
import { NewSearch } from '#errors/search/saved-search-routes.ts'
import { formOf } from '#pages/layout/field.ts'
import { Form } from '#pages/layout/form.ts'
import { attributes, html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { defaultSearch, type ListQuery } from './list-query.ts'

export type SearchForm = Form<typeof NewSearch>

interface Searches {
  saved: SavedSearch[]
  /** The form that was refused. */
  refused?: SearchForm
}

/** Saves the search of the list, or deletes it when it is saved. */
export function savedSearchForms(
  request: FastifyRequest,
  { projectUrl }: PageContext,
  { query, sort }: ListQuery,
  { saved, refused }: Searches
) {
  const form = refused ?? new Form(NewSearch)
  const current = saved.find(search => search.query === query && search.sort === sort)
  const action = `${projectUrl}/errors/searches`

  if (current && !refused)
    return formOf(
      request,
      { action: `${action}/${current.id}/delete` },
      html`<button class="quiet small">Delete the saved search “${current.name}”</button>`
    )
  if (query === defaultSearch || query === '') return undefined

  return html`
    <details class="save-search"${attributes({ open: refused !== undefined })}>
      <summary>Save this search</summary>
      ${form.render(
        request,
        { action },
        html`
        <input type="hidden" name="query" value="${query}"><input type="hidden" name="sort" value="${sort}">
        ${form.field('name', { label: 'Name' })}
        ${form.checkbox('shared', { label: 'For all developers of this project' })}
        <button>Save</button>`
      )}
    </details>`
}
