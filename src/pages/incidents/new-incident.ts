import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { EditableField } from '#incidents/edit-incident.ts'
import { createIssue } from '#issues/create-issue.ts'
import { findIssueProject } from '#issues/find-issue.ts'
import type { IssueType } from '#issues/issue.ts'
import { Role } from '#projects/members/member.ts'
import { attempt, inOneText } from '../layout/attempt.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { controlOf, emptyValues } from './field-controls.ts'
import { issueUrl } from './incident-context.ts'
import { readFields } from './read-fields.ts'

const fieldsOf: Record<IssueType, EditableField[]> = {
  incident: ['title', 'severity', 'description', 'assignees', 'labels', 'milestone', 'due_date'],
  issue: ['title', 'description', 'assignees', 'labels', 'milestone', 'due_date']
}

export async function newIncidentPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const type of ['incident', 'issue'] as const) {
    app.get(`/projects/:id/${type}s/new`, guard, async (request, reply) => newIssue(reply, await newIssueContext(request), type))

    app.post(`/projects/:id/${type}s`, guard, async (request, reply) => {
      const context = await newIssueContext(request)
      const { result: issue, problems } = await attempt(() => create(request, context, type))

      if (problems) return newIssue(reply.code(400), context, type, inOneText(problems))

      return redirect(reply, issueUrl(context.projectUrl, type, issue.iid))
    })
  }
}

/** `findIssueProject` decides who may create one. */
async function newIssueContext(request: FastifyRequest) {
  const context = await pageContext(request, Role.guest)

  await findIssueProject(context.em, request.user, String(context.project.id))

  return context
}

async function create(request: FastifyRequest, { em, project }: PageContext, issueType: IssueType) {
  const { title } = await readFields.title(request)
  const { description } = await readFields.description(request)
  const { severity } = await readFields.severity(request)
  const { assigneeIds } = await readFields.assignees(request, em)
  const { labels } = await readFields.labels(request)
  const { milestoneId } = await readFields.milestone(request)
  const { dueDate } = await readFields.due_date(request)

  return em.transactional(em =>
    createIssue(em, {
      projectId: project.id,
      issueType,
      title,
      description,
      severity,
      assigneeIds,
      labels: labels.labels,
      milestoneId,
      dueDate,
      authorId: request.user.id,
      chain: request.actor.chain
    })
  )
}

async function newIssue(reply: FastifyReply, context: PageContext, type: IssueType, problem?: string) {
  const { request } = reply
  const { projectUrl } = context
  const controls = []

  for (const name of fieldsOf[type]) controls.push(await controlOf(name, request, context, emptyValues))

  return projectPage(
    reply,
    context,
    { title: `New ${type}`, tab: `${type}s` },
    html`
    <h1>New ${type}</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="column">${formOf(
      request,
      { action: `${projectUrl}/${type}s` },
      html`${controls}<p class="actions"><button>Create ${type}</button> <a class="button plain" href="${projectUrl}/${type}s">Cancel</a></p>`
    )}</div>`
  )
}
