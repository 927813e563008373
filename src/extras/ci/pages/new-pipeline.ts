import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { findCode } from '#extras/source-code/find-code.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { Form, readForm } from '#pages/layout/form.ts'
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
import { NewPipelineBody } from '../pipelines/pipeline-routes.ts'
import { readVariables } from '../pipelines/pipeline-variables.ts'
import { ciContext } from './ci-context.ts'

const path = '/projects/:id/pipelines'
const title = 'Run a pipeline'
const maxRefs = 100

/** Variables are lines here. */
const PipelineForm = Type.Object({ ref: NewPipelineBody.properties.ref, variables: Type.Array(Type.String()) })

/** Developers run pipelines for a branch or tag. */
export async function newPipelinePage(app: FastifyInstance) {
  const { config, git } = app.platform
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => {
    const context = await ciContext(request, Role.developer)

    return show(reply, context, new Form(PipelineForm, { ref: context.project.defaultBranch }))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await ciContext(request, Role.developer)
    const { em, project, projectUrl } = context
    const form = readForm(request, PipelineForm)

    await form.check(({ variables }) => variablesIn(variables))
    const saved = await form.save(async ({ ref, variables }) =>
      createPipeline(
        em,
        config,
        await findCode(em, git, request.user, String(project.id), Role.developer),
        request.actor,
        { ref, source: 'web', variables: variablesIn(variables) },
        new Date()
      )
    )

    if (!saved) return show(reply.code(400), context, form)

    return redirect(reply, `${projectUrl}/pipelines/${saved.result.id}`)
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

async function show(reply: FastifyReply, context: PageContext, form: Form<typeof PipelineForm>) {
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
    <div class="column">${form.render(
      reply.request,
      { action: `${projectUrl}/pipelines` },
      html`
      ${form.field('ref', { label: 'Branch or tag', invalid: 'Enter a branch or tag.', attributes: { list: 'refs', spellcheck: 'false' } })}
      <datalist id="refs">${refs.map(ref => html`<option value="${ref}"></option>`)}</datalist>
      ${form.textArea('variables', { label: 'Variables', hint: 'One per line, such as TARGET=staging. They override variables of the configuration and the project. People with the Developer role can read their values on this pipeline.', attributes: { spellcheck: 'false' } })}
      <p class="actions"><button>Run pipeline</button> <a class="button plain" href="${projectUrl}/pipelines">Cancel</a></p>`
    )}</div>`
  )
}
