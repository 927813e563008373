import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { NewRunnerBody } from '../runner-schemas.ts'

const { description, tag_list, run_untagged } = NewRunnerBody.properties

export const RunnerForm = Type.Object({ description, tag_list, run_untagged })

const title = 'New runner'

export function newRunnerForm() {
  return new Form(RunnerForm, { run_untagged: true })
}

/** A runner without tags that runs only tagged jobs would run none. */
export function checkTags(body: Type.Static<typeof RunnerForm>) {
  if (!body.run_untagged && !body.tag_list?.length) {
    throw new ValidationFailed({ tag_list: ['is needed for a runner that does not run jobs without tags'] })
  }
}

export function showNewRunner(reply: FastifyReply, context: OwnerContext, form: Form<typeof RunnerForm>) {
  return context.show(
    reply,
    title,
    html`
    <p class="back"><a href="${context.url}">Runners</a></p>
    <h1>${title}</h1>
    <p class="lead">A runner is a machine with gitlab-runner. The next page has its token, and the commands that install and register it.</p>
    <div class="column">${form.render(
      reply.request,
      { action: context.url },
      html`
      ${form.field('description', { label: 'Description', hint: 'Such as “Build server 2”.' })}
      ${form.textArea('tag_list', { label: 'Tags', hint: 'One per line, such as docker. The runner runs only jobs all of whose tags it has.', invalid: 'Enter up to 50 tags of up to 255 characters.', attributes: { spellcheck: 'false' } })}
      ${form.checkbox('run_untagged', { label: 'Run jobs without tags' })}
      <p class="actions"><button>Create runner</button> <a class="button plain" href="${context.url}">Cancel</a></p>`
    )}</div>`
  )
}
