import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { createGroup } from '#projects/groups/create-group.ts'
import { NewGroupBody } from '#projects/groups/group-schemas.ts'
import { namespacesForGroups, type OfferedNamespaces } from '#projects/offered-namespaces.ts'
import { catchRefusal } from '../layout/catch-refusal.ts'
import { checkBody } from '../layout/check-body.ts'
import { formOf, selectField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import type { Problems } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type BasicForm, descriptionField, nameAndPath, visibilityField } from './basic-fields.ts'
import { idOf, readBasics, toNewBody } from './read-basics.ts'

const path = '/groups/-/new'
const maxGroups = 200
const blank: BasicForm = { name: '', path: '', description: '', visibility: 'private' }

/** A top-level group, or a subgroup of `parent_id`. */
export async function newGroupPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { parent_id?: string } }>(path, guard, async (request, reply) =>
    showForm(reply, blank, idOf(request.query.parent_id))
  )

  app.post(path, guard, async (request, reply) => {
    const form = readBasics(request)
    const parentId = idOf(textOf(request, 'parent_id'))
    const { result: group, problems } = await catchRefusal(() => create(request, form, parentId))

    if (problems) return showForm(reply.code(400), form, parentId, problems)
    flash(reply, 'The group is created.')

    return redirect(reply, `/groups/${group.fullPath}`)
  })
}

async function create(request: FastifyRequest, form: BasicForm, parentId: number | undefined) {
  const { git } = request.server.platform
  const body = toNewBody(form)

  checkBody(NewGroupBody, { ...body, parent_id: parentId })

  return createGroup(request.em, request.user, { ...body, parentId, storage: git.storages.pick() }, request.actor)
}

async function showForm(reply: FastifyReply, form: BasicForm, parentId: number | undefined, problems: Problems = {}) {
  const { request, server } = reply
  const offered = await namespacesForGroups(server.platform.fork(), request.user, { limit: maxGroups, wanted: parentId })
  const { namespaces, refusal } = offered
  const isPossible = namespaces.length > 0 || !refusal

  return page(
    reply,
    { title: 'New group' },
    html`
    <p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> New group</p>
    <h1>New group</h1>
    <p class="${isPossible ? 'lead' : 'empty'}">${refusal ?? 'The members of a group are members of its subgroups and projects.'}</p>
    ${isPossible && html`<div class="column">${formOf(request, { action: path }, fields(form, offered, parentId, problems))}</div>`}`
  )
}

function fields(form: BasicForm, { namespaces, refusal }: OfferedNamespaces, parentId: number | undefined, problems: Problems) {
  const none: [string, string][] = refusal ? [] : [['', 'None: a top-level group']]

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${nameAndPath(form, problems)}
    ${selectField({
      name: 'parent_id',
      label: 'In group',
      value: String(parentId ?? ''),
      error: problems.parent_id,
      options: [...none, ...namespaces.map(({ id, fullPath }): [string, string] => [String(id), fullPath])]
    })}
    ${descriptionField(form, problems)}
    ${visibilityField(form, problems)}
    <p class="actions"><button>Create group</button> <a class="button plain" href="/projects">Cancel</a></p>`
}
