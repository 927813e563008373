import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { findCode } from '#extras/source-code/find-code.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { attempt, type Problems } from '#pages/layout/attempt.ts'
import { field, formOf, textArea } from '#pages/layout/field.ts'
import { linesOf, textOf } from '#pages/layout/forms.ts'
import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import { Role } from '#projects/members/member.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { listRefs } from '#repositories/objects/list-refs.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { createPipeline } from '../pipelines/create-pipeline.ts'
import { readVariables } from '../pipelines/pipeline-variables.ts'
import { ciContext } from './ci-context.ts'

const path = '/projects/:id/pipelines'
const title = 'Run a pipeline'
const maxRefs = 100

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
    const ref = textOf(request, 'ref').trim()
    const { result, problems } = await attempt(async () => {
      const given = { ref, source: 'web', variables: variablesIn(linesOf(request, 'variables')) }

      return createPipeline(
        em,
        config,
        await findCode(em, git, request.user, String(project.id), Role.developer),
        request.actor,
        given,
        new Date()
      )
    })

    if (problems) return show(reply.code(400), context, { ref, variables: textOf(request, 'variables') }, problems)

    return redirect(reply, `${projectUrl}/pipelines/${result.id}`)
  })
}

/** Branches, then tags, newest first. Others can be typed. */
async function newestRefs({ server }: FastifyRequest, { em, project }: PageContext) {
  const { git } = server.platform
  const directory = await openRepository(git, await findRepository(em, { projectId: project.id }))

  if (directory === undefined) return []
  const repo = new GitDirectory(git, directory)
  const newest = { sort: '-creatordate' }
  const refs = [...(await listRefs(repo, 'refs/heads/', newest)), ...(await listRefs(repo, 'refs/tags/', newest))]

  return [...new Set(refs.map(({ name }) => name))].slice(0, maxRefs)
}

/** `NAME=value` in each line. */
function variablesIn(lines: string[]) {
  const pairs = lines.map(line => /^(\w{1,255})=(.{0,10000})$/s.exec(line))
  const wrong = lines.find((_, index) => !pairs[index])

  if (wrong !== undefined) throw new ValidationFailed({ variables: [`write NAME=value instead of ${wrong.slice(0, 60)}`] })

  return readVariables(pairs.map(pair => ({ key: pair![1]!, value: pair![2]! })))
}

async function show(reply: FastifyReply, context: PageContext, { ref, variables }: Form, problems: Problems = {}) {
  const { projectUrl } = context
  const refs = await newestRefs(reply.request, context)

  return projectPage(
    reply,
    context,
    { title, tab: 'pipelines' },
    html`
    <p class="back"><a href="${projectUrl}/pipelines">Pipelines</a></p>
    <h1>${title}</h1>
    <p class="lead">Runs the jobs of <code>.gitlab-ci.yml</code> at the branch or tag.</p>
    <div class="column">${formOf(
      reply.request,
      { action: `${projectUrl}/pipelines` },
      html`
      ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
      ${field({ name: 'ref', label: 'Branch or tag', value: ref, isRequired: true, attributes: { list: 'refs', spellcheck: 'false' } })}
      <datalist id="refs">${refs.map(ref => html`<option value="${ref}"></option>`)}</datalist>
      ${textArea({ name: 'variables', label: 'Variables', value: variables, error: problems.variables, hint: 'One per line, such as TARGET=staging. They override variables of the configuration and the project. People with the Developer role can read their values on this pipeline.', attributes: { spellcheck: 'false' } })}
      <p class="actions"><button>Run pipeline</button> <a class="button plain" href="${projectUrl}/pipelines">Cancel</a></p>`
    )}</div>`
  )
}
