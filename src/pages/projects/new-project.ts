import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { startTracking } from '#errors/settings/start-tracking.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { createProject } from '#projects/create-project.ts'
import { namespacesForProjects } from '#projects/offered-namespaces.ts'
import { NewProjectBody } from '#projects/schemas.ts'
import { spamCheckOf } from '#spam/spam-check.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { blankBasics, descriptionField, NewBasics, nameAndPath, toNewBody, visibilityField } from '../namespaces/basic-fields.ts'
import { idOf } from '../namespaces/id-of.ts'
import { captchaWidget } from '../sign-in/captcha.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'

const maxGroups = 200
const NewProjectForm = Type.Object({ ...NewBasics.properties, namespace_id: NewProjectBody.properties.namespace_id })

export async function newProjectPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { namespace_id?: string } }>('/projects/new', guard, async (request, reply) =>
    showForm(reply, new Form(NewProjectForm, { ...blankBasics, namespace_id: idOf(request.query.namespace_id) }))
  )

  app.post('/projects', guard, async (request, reply) => {
    const form = readForm(request, NewProjectForm)
    const saved = await form.save(({ namespace_id: namespaceId, ...basics }) => {
      const storage = app.platform.git.storages.pick()

      return createProject(
        request.em,
        request.user,
        { ...toNewBody(basics), namespaceId, storage, spam: spamCheckOf(request) },
        request.actor
      )
    })

    if (!saved) return showForm(reply.code(400), form)
    await startTracking(request.em, app.platform.config, saved.result, request.actor)
    flash(reply, 'Project created.')

    return redirect(reply, `/projects/${saved.result.id}/setup`)
  })
}

async function showForm(reply: FastifyReply, form: Form<typeof NewProjectForm>) {
  const { request, server } = reply
  const { namespaces, refusal } = await namespacesForProjects(server.platform.fork(), request.user, {
    limit: maxGroups,
    wanted: idOf(form.text('namespace_id'))
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
      html`<div class="column">${form.render(
        request,
        { action: '/projects' },
        html`${fields(form, namespaces)}
        ${captchaWidget(reply)}
        <p class="actions"><button>Create project</button> <a class="button plain" href="/projects">Cancel</a></p>`
      )}</div>`
    }`
  )
}

function fields(form: Form<typeof NewProjectForm>, namespaces: Namespace[]) {
  return html`
    ${nameAndPath(form)}
    ${form.select('namespace_id', {
      label: 'Owner',
      hint: 'You, or a group where you are at least a developer. Members of a group are also members of its projects.',
      reasons: ['namespace', 'limit_reached'],
      options: namespaces.map(({ id, fullPath }) => [String(id), fullPath])
    })}
    ${descriptionField(form)}
    ${visibilityField(form)}`
}
