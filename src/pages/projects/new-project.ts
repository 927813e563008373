import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { createProject } from '#projects/create-project.ts'
import { namespacesForProjects } from '#projects/offered-namespaces.ts'
import { NewProjectBody } from '#projects/schemas.ts'
import { spamCheckOf } from '#spam/spam-check.ts'
import { catchRefusal } from '../layout/catch-refusal.ts'
import { checkBody } from '../layout/check-body.ts'
import { formOf, selectField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { type BasicForm, descriptionField, nameAndPath, visibilityField } from '../namespaces/basic-fields.ts'
import { idOf, readBasics, toNewBody } from '../namespaces/read-basics.ts'
import { captchaWidget } from '../sign-in/captcha.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import type { Problems } from './page-context.ts'

const maxGroups = 200
const blank: BasicForm = { name: '', path: '', description: '', visibility: 'private' }

export async function newProjectPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { namespace_id?: string } }>('/projects/new', guard, async (request, reply) =>
    showForm(reply, blank, idOf(request.query.namespace_id))
  )

  app.post('/projects', guard, async (request, reply) => {
    const form = readBasics(request)
    const namespaceId = idOf(textOf(request, 'namespace_id'))
    const { result: project, problems } = await catchRefusal(() => create(request, form, namespaceId), reply)

    if (problems) return showForm(reply.code(400), form, namespaceId, problems)
    flash(reply, 'The project is created.')

    return redirect(reply, `/projects/${project.id}/setup`)
  })
}

async function create(request: FastifyRequest, form: BasicForm, namespaceId: number | undefined) {
  const { git } = request.server.platform
  const body = toNewBody(form)

  checkBody(NewProjectBody, { ...body, namespace_id: namespaceId })

  const input = { ...body, namespaceId, storage: git.storages.pick(), spam: spamCheckOf(request) }

  return createProject(request.em, request.user, input, request.actor)
}

async function showForm(reply: FastifyReply, form: BasicForm, namespaceId: number | undefined, problems: Problems = {}) {
  const { request, server } = reply
  const { namespaces, refusal } = await namespacesForProjects(server.platform.fork(), request.user, {
    limit: maxGroups,
    wanted: namespaceId
  })

  return page(
    reply,
    { title: 'New project' },
    html`
    <p class="trail"><a href="/projects">Projects</a> <span aria-hidden="true">/</span> New</p>
    <h1>New project</h1>
    ${refusal && html`<p class="${namespaces.length > 0 ? 'lead' : 'empty'}">${refusal}</p>`}
    ${
      namespaces.length > 0 &&
      html`<div class="column">${formOf(
        request,
        { action: '/projects' },
        html`${fields(form, namespaces, namespaceId, problems)}
        ${captchaWidget(reply)}
        <p class="actions"><button>Create project</button> <a class="button plain" href="/projects">Cancel</a></p>`
      )}</div>`
    }`
  )
}

function fields(form: BasicForm, namespaces: Namespace[], namespaceId: number | undefined, problems: Problems) {
  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${nameAndPath(form, problems)}
    ${selectField({
      name: 'namespace_id',
      label: 'Owner',
      value: String(namespaceId ?? ''),
      hint: 'You, or a group in which you are at least a developer. Members of a group are members of its projects.',
      error: problems.namespace ?? problems.namespace_id ?? problems.limit_reached,
      options: namespaces.map(({ id, fullPath }) => [String(id), fullPath])
    })}
    ${descriptionField(form, problems)}
    ${visibilityField(form, problems)}`
}
