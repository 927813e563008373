import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { newSigningSecret } from '#notifications/channels/kinds/webhook.ts'
import { type ChannelKind, channelKinds } from '#notifications/channels/web-channels.ts'
import { flash } from '#pages/layout/flash.ts'
import { type Form, readForm } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { mailNotice } from '../mail-notice.ts'
import { channelFields, channelFormOf, newChannelForm, saveChannel } from './channel-form.ts'
import { kindTexts } from './kind-texts.ts'
import { setNotice } from './one-time-notice.ts'

const path = '/projects/:id/notifications/channels/new'

/** Choice of the kind, then its fields. */
export async function newChannelPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request)

    if (!kind) return choice(reply, context)

    return showForm(reply, context, kind, newChannelForm(kind))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request) ?? 'email'
    const form = readForm(request, channelFormOf(kind))
    const secret = kind === 'webhook' ? newSigningSecret() : undefined
    const saved = await saveChannel(context, form, { kind, made: secret ? { signing_secret: secret } : {} })

    if (!saved) return showForm(reply.code(400), context, kind, form)
    if (secret) setNotice(reply, { channelId: saved.result.id, secret })
    flash(reply, 'Channel saved. Send a test to see whether messages arrive.')

    return redirect(reply, `${notificationsUrl(context)}/channels/${saved.result.id}`)
  })
}

function kindOf({ query }: FastifyRequest) {
  return channelKinds.find(kind => kind === (query as { kind?: string }).kind)
}

function choice(reply: FastifyReply, context: PageContext) {
  return notificationPage(
    reply,
    context,
    'Connect a channel',
    html`
    <h1>Connect a channel</h1>
    <p class="lead">Where should messages go?</p>
    <ul class="rows">
      ${Object.entries(kindTexts).map(
        ([kind, { name, description }]) => html`
        <li>
          <div>
            <p><strong>${name}</strong></p>
            <p class="hint">${description}</p>
          </div>
          <a class="button plain" href="?kind=${kind}" aria-label="Choose ${name}">Choose</a>
        </li>`
      )}
    </ul>`
  )
}

function showForm(reply: FastifyReply, context: PageContext, kind: ChannelKind, form: Form) {
  const { name, description } = kindTexts[kind]

  return notificationPage(
    reply,
    context,
    `Connect ${name}`,
    html`
    <h1>Connect ${name}</h1>
    <p class="lead">${description}</p>
    ${kind === 'email' && mailNotice(reply.server, context)}
    <div class="column">
      ${form.render(
        reply.request,
        { action: `${notificationsUrl(context)}/channels/new?kind=${kind}` },
        html`${channelFields(kind, form, { isStored: false })}<button>Save channel</button>`
      )}
    </div>`
  )
}
