import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { EditableField } from '#incidents/edit-incident.ts'
import { createIssue } from '#issues/create-issue.ts'
import { findIssueProject } from '#issues/find-issue.ts'
import type { IssueType } from '#issues/issue.ts'
import { Role } from '#projects/members/member.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { controlOf } from './field-controls.ts'
import { issueUrl } from './incident-context.ts'
import { emptyValues, formOfIssue, type IssueForm, readChanges, readIssueForm } from './issue-form.ts'

const fieldsOf: Record<IssueType, EditableField[]> = {
  incident: ['title', 'severity', 'description', 'assignees', 'labels', 'milestone', 'due_date'],
  issue: ['title', 'description', 'assignees', 'labels', 'milestone', 'due_date']
}

export async function newIncidentPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const type of ['incident', 'issue'] as const) {
    app.get(`/projects/:id/${type}s/new`, guard, async (request, reply) =>
      newIssue(reply, await newIssueContext(request), type, formOfIssue(emptyValues))
    )

    app.post(`/projects/:id/${type}s`, guard, async (request, reply) => {
      const context = await newIssueContext(request)
      const form = readIssueForm(request, fieldsOf[type])
      const changes = await readChanges(form, context.em)
      const saved = await form.save(() => create(request, context, type, changes))

      if (!saved) return newIssue(reply.code(400), context, type, form)

      return redirect(reply, issueUrl(context.projectUrl, type, saved.result.iid))
    })
  }
}

/** `findIssueProject` decides who may create one. */
async function newIssueContext(request: FastifyRequest) {
  const context = await pageContext(request, Role.guest)

  await findIssueProject(context.em, request.user, String(context.project.id))

  return context
}

type Written = Awaited<ReturnType<typeof readChanges>>

function create(request: FastifyRequest, { em, project }: PageContext, issueType: IssueType, { title = '', labels, ...written }: Written) {
  const by = { authorId: request.user.id, chain: request.actor.chain }

  return em.transactional(em => createIssue(em, { projectId: project.id, issueType, title, labels: labels?.labels, ...written, ...by }))
}

async function newIssue(reply: FastifyReply, context: PageContext, type: IssueType, form: Form<typeof IssueForm>) {
  const { request } = reply
  const { projectUrl } = context
  const controls = []

  for (const name of fieldsOf[type]) controls.push(await controlOf(name, { request, context, form, values: emptyValues }))

  return projectPage(
    reply,
    context,
    { title: `New ${type}`, tab: `${type}s` },
    html`
    <h1>New ${type}</h1>
    <div class="column">${form.render(
      request,
      { action: `${projectUrl}/${type}s` },
      html`${controls}<p class="actions"><button>Create ${type}</button> <a class="button plain" href="${projectUrl}/${type}s">Cancel</a></p>`
    )}</div>`
  )
}
