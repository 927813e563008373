import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changeForwarding, ForwardingBody, removeForwarding } from '#errors/forwarding/change-forwarding.ts'
import { type Forwarding, findForwarding, maxWaiting } from '#errors/forwarding/forwarding-store.ts'
import { count } from '#lib/counted.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/forwarding'

/** Sends on what the project receives to another DSN, to try one tracker beside another. */
export async function forwardingPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showForwarding(reply, await pageContext(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project, projectUrl, admin } = context
    const form = readForm(request, ForwardingBody, ['dsn'])
    const saved = await form.save(body => changeForwarding(em, admin.config, project, body, admin.actor))

    if (!saved) return showForwarding(reply.code(400), context, form)
    flash(reply, form.body.active ? 'Forwarding saved.' : 'Forwarding saved. It is off.')

    return redirect(reply, `${projectUrl}/error_settings/forwarding`)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, project, projectUrl, admin } = await pageContext(request)

    await removeForwarding(em, admin.config, project, admin.actor)
    flash(reply, 'Forwarding removed.')

    return redirect(reply, `${projectUrl}/error_settings/forwarding`)
  })
}

async function showForwarding(reply: FastifyReply, context: PageContext, given?: Form<typeof ForwardingBody>) {
  const { em, project, projectUrl } = context
  const stored = await findForwarding(em, project.id)
  const form = given ?? new Form(ForwardingBody, { active: stored?.isActive ?? true })
  const action = `${projectUrl}/error_settings/forwarding`

  return settingsPage(
    reply,
    context,
    '/forwarding',
    html`
    <p class="lead">What this project receives from SDKs is also sent to another DSN, so that you can try one tracker beside the other. The project keeps everything, and its SDKs notice nothing.</p>
    ${stored && state(stored)}
    <div class="column">
      ${form.render(
        reply.request,
        { action },
        html`
        ${form.field('dsn', {
          type: 'password',
          label: 'DSN',
          hint: stored
            ? 'A DSN is stored, and not shown again. Leave empty to keep it. With another one, the counts begin anew.'
            : 'Of a project in Sentry, GlitchTip, Bugsink or another Tocsin. It is stored encrypted, and not shown again.',
          isRequired: false,
          autocomplete: 'off',
          attributes: { placeholder: 'https://0123456789abcdef@sentry.example.com/42', spellcheck: 'false' }
        })}
        ${form.checkbox('active', { label: 'Forward', hint: `While it is off, nothing is kept for the receiver. While the receiver does not answer, up to ${count(maxWaiting)} envelopes wait; further ones are not forwarded.` })}
        <button>Save</button>`
      )}
      ${stored && formOf(reply.request, { action: `${action}/removal` }, html`<button class="quiet">Remove the DSN</button>`)}
    </div>`
  )
}

function state({ forwarded, refused, dropped, waiting, problem, retryAt, lastForwardedAt }: Forwarding) {
  const facts: [name: string, value: number][] = [
    ['Forwarded', forwarded],
    ['Waiting', waiting],
    ['Refused by the receiver', refused],
    ['Not forwarded: too many were waiting', dropped]
  ]

  return html`
    ${problem && html`<p class="problem">${problem}.${retryAt && ' It is tried again within minutes.'}</p>`}
    <dl class="facts column">
      ${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${count(value)}</dd></div>`)}
      ${lastForwardedAt && html`<div><dt>Last</dt><dd>${ago(lastForwardedAt)}</dd></div>`}
    </dl>`
}
