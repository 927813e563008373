import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { deleteSearch, replaceSearch, searchesOf } from '#errors/search/save-search.ts'
import { SavedSearch } from '#errors/search/saved-search.ts'
import { NewSearch } from '#errors/search/saved-search-routes.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { showErrors } from './error-list.ts'
import { listUrl, readListQuery } from './list-query.ts'

const path = '/projects/:id/errors/searches'

export async function savedSearches(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const list = readListQuery(request.body)
    const form = readForm(request, NewSearch)
    const saved = await form.save(({ sort = 'last_seen', shared: isShared = false, ...search }) =>
      replaceSearch(context.em, ownerOf(request, context), { ...search, sort, isShared })
    )

    if (!saved) return showErrors(reply.code(400), context, list, form)
    flash(reply, 'Search saved.')

    return redirect(reply, listUrl(context, { query: list.query, sort: list.sort }))
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
