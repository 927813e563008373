import type { FastifyInstance, FastifyReply } from 'fastify'
import { createPipeline } from '../../../ci/pipelines/create-pipeline.ts'
import { readVariables } from '../../../ci/pipelines/pipeline-variables.ts'
import { ValidationFailed } from '../../../http/problems/problems.ts'
import { callerOf } from '../../../identity/identify.ts'
import { Role } from '../../../projects/members/member.ts'
import { findCode } from '../../../source-code/find-code.ts'
import { field, formOf, textArea } from '../../layout/field.ts'
import { linesOf, textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { catchRefusal } from '../../validation/catch-refusal.ts'
import type { PageContext, Problems } from '../page-context.ts'
import { projectPage } from '../project-page.ts'
import { ciContext } from './ci-context.ts'

const path = '/projects/:id/pipelines'
const title = 'Run a pipeline'

interface Form {
  ref: string
  variables: string
}

/** Developers run pipelines for a branch or tag. */
export async function newPipelinePage(app: FastifyInstance) {
  const { config, git } = app.platform
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => {
    const context = await ciContext(request, Role.developer)

    return show(reply, context, { ref: context.project.defaultBranch, variables: '' })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await ciContext(request, Role.developer)
    const { em, project, projectUrl } = context
    const user = callerOf(request)
    const ref = textOf(request, 'ref').trim()
    const { result, problems } = await catchRefusal(async () => {
      const given = { ref, source: 'web', variables: variablesIn(linesOf(request, 'variables')) }

      return createPipeline(em, config, await findCode(em, git, user, String(project.id), Role.developer), user, given, new Date())
    })

    if (problems) return show(reply.code(400), context, { ref, variables: textOf(request, 'variables') }, problems)

    return reply.redirect(`${projectUrl}/pipelines/${result.id}`, 303)
  })
}

/** `NAME=value` in each line. */
function variablesIn(lines: string[]) {
  const pairs = lines.map(line => /^(\w{1,255})=(.{0,10000})$/s.exec(line))
  const wrong = lines.find((_, index) => !pairs[index])

  if (wrong !== undefined) throw new ValidationFailed({ variables: [`write NAME=value instead of ${wrong.slice(0, 60)}`] })

  return readVariables(pairs.map(pair => ({ key: pair![1]!, value: pair![2]! })))
}

function show(reply: FastifyReply, context: PageContext, { ref, variables }: Form, problems: Problems = {}) {
  const { projectUrl } = context

  return projectPage(
    reply,
    context,
    { title, tab: 'code' },
    html`
    <p class="back"><a href="${projectUrl}/pipelines">Pipelines</a></p>
    <h1>${title}</h1>
    <p class="lead">Runs the jobs of <code>.gitlab-ci.yml</code> at the branch or tag.</p>
    <div class="column">${formOf(
      reply.request,
      { action: `${projectUrl}/pipelines` },
      html`
      ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
      ${field({ name: 'ref', label: 'Branch or tag', value: ref, isRequired: true })}
      ${textArea({ name: 'variables', label: 'Variables', value: variables, error: problems.variables, hint: 'One in each line, such as TARGET=staging. They win over those of the configuration and of the project.', attributes: { spellcheck: 'false' } })}
      <p class="actions"><button>Run pipeline</button> <a class="button plain" href="${projectUrl}/pipelines">Cancel</a></p>`
    )}</div>`
  )
}
