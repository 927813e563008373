import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { deleteSearch, replaceSearch, searchesOf } from '#errors/search/save-search.ts'
import { SavedSearch } from '#errors/search/saved-search.ts'
import { attempt, inOneText } from '#pages/layout/attempt.ts'
import { checkbox, field, formOf } from '#pages/layout/field.ts'
import { flash } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { html } from '#pages/layout/html.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { defaultSearch, type ListQuery, listUrl, readListQuery } from './list-query.ts'

const path = '/projects/:id/errors/searches'

export async function savedSearches(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { query, sort } = readListQuery(request.body)
    const search = { name: textOf(request, 'name').trim(), query, sort, isShared: textOf(request, 'shared') !== '' }
    const { problems } = await attempt(() => replaceSearch(context.em, ownerOf(request, context), search))

    flash(reply, problems ? inOneText(problems) : 'Search saved.')

    return redirect(reply, listUrl(context, { query, sort }))
  })

  app.post<{ Params: { search_id: string } }>(`${path}/:search_id/delete`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    const id = Number(request.params.search_id) || 0
    const search = await context.em.findOne(SavedSearch, { id, ...searchesOf(ownerOf(request, context)) })

    if (search) await deleteSearch(context.em, search)
    flash(reply, 'Saved search deleted.')

    return redirect(reply, listUrl(context, {}))
  })
}

function ownerOf(request: FastifyRequest, { project }: PageContext) {
  return { projectId: project.id, viewer: request.user }
}

/** Saves the search of the list, or deletes it when it is saved. */
export function savedSearchForms(request: FastifyRequest, { projectUrl }: PageContext, { query, sort }: ListQuery, saved: SavedSearch[]) {
  const current = saved.find(search => search.query === query && search.sort === sort)
  const action = `${projectUrl}/errors/searches`

  if (current)
    return formOf(
      request,
      { action: `${action}/${current.id}/delete` },
      html`<button class="quiet small">Delete the saved search “${current.name}”</button>`
    )
  if (query === defaultSearch || query === '') return undefined

  return html`
    <details class="save-search">
      <summary>Save this search</summary>
      ${formOf(
        request,
        { action },
        html`
        <input type="hidden" name="query" value="${query}"><input type="hidden" name="sort" value="${sort}">
        ${field({ name: 'name', label: 'Name', isRequired: true, attributes: { maxlength: 50 } })}
        ${checkbox({ name: 'shared', value: 'true', label: 'For all developers of this project' })}
        <button>Save</button>`
      )}
    </details>`
}
