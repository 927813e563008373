import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { Nullable } from '#lib/nullable.ts'
import { createGroup } from '#projects/groups/create-group.ts'
import { namespacesForGroups, type OfferedNamespaces } from '#projects/offered-namespaces.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { blankBasics, descriptionField, NewBasics, nameAndPath, toNewBody, visibilityField } from './basic-fields.ts'
import { idOf } from './id-of.ts'

const path = '/groups/-/new'
const maxGroups = 200
const NewGroupForm = Type.Object({ ...NewBasics.properties, parent_id: Nullable(Type.Integer()) })

/** A top-level group, or a subgroup of `parent_id`. */
export async function newGroupPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { parent_id?: string } }>(path, guard, async (request, reply) =>
    showForm(reply, new Form(NewGroupForm, { ...blankBasics, parent_id: idOf(request.query.parent_id) }))
  )

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, NewGroupForm)
    const saved = await form.save(({ parent_id: parentId, ...basics }) => {
      const input = { ...toNewBody(basics), parentId: parentId ?? undefined, storage: app.platform.git.storages.pick() }

      return createGroup(request.em, request.user, input, request.actor)
    })

    if (!saved) return showForm(reply.code(400), form)
    flash(reply, 'Group created.')

    return redirect(reply, `/groups/${saved.result.fullPath}`)
  })
}

async function showForm(reply: FastifyReply, form: Form<typeof NewGroupForm>) {
  const { request, server } = reply
  const offered = await namespacesForGroups(server.platform.fork(), request.user, {
    limit: maxGroups,
    wanted: idOf(form.text('parent_id'))
  })
  const { namespaces, refusal } = offered
  const isPossible = namespaces.length > 0 || !refusal

  return page(
    reply,
    { title: 'New group' },
    html`
    <p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> New group</p>
    <h1>New group</h1>
    <p class="${isPossible ? 'lead' : 'empty'}">${refusal ?? 'Members of a group are also members of its subgroups and projects.'}</p>
    ${isPossible && html`<div class="column">${form.render(request, { action: path }, fields(form, offered))}</div>`}`
  )
}

function fields(form: Form<typeof NewGroupForm>, { namespaces, refusal }: OfferedNamespaces) {
  const none: [string, string][] = refusal ? [] : [['', 'None (top-level group)']]

  return html`
    ${nameAndPath(form)}
    ${form.select('parent_id', { label: 'In group', options: [...none, ...namespaces.map(({ id, fullPath }): [string, string] => [String(id), fullPath])] })}
    ${descriptionField(form)}
    ${visibilityField(form)}
    <p class="actions"><button>Create group</button> <a class="button plain" href="/projects">Cancel</a></p>`
}
