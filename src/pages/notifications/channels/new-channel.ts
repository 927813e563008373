import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { type ChannelKind, channelKinds } from '#notifications/channels/channel.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import { newSigningSecret } from '#notifications/channels/kinds/webhook.ts'
import { formOf } from '#pages/layout/field.ts'
import { flash } from '#pages/layout/flash.ts'
import { html } from '#pages/layout/html.ts'
import { type PageContext, type Problems, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { noRecipients, readEmailForm, toEmailSettings } from '../email-form.ts'
import { notificationPage, notificationsUrl } from '../frame.ts'
import { findProblems, saveRow } from '../save-row.ts'
import { blankChannel, type ChannelForm, channelFields, readChannelForm, toChannelBody } from './channel-form.ts'
import { kindTexts } from './kinds.ts'
import { setNotice } from './one-time-notice.ts'

const path = '/projects/:id/notifications/channels/new'

/** Choice of the kind, then its fields. */
export async function newChannelPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request)

    if (!kind) return choice(reply, context)

    return showForm(reply, context, { kind, form: { ...blankChannel, email: kind === 'email' ? noRecipients : undefined } })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const kind = kindOf(request) ?? 'email'
    const form = readChannelForm(request, kind, kind === 'email' ? readEmailForm(request) : undefined)
    const secret = kind === 'webhook' ? newSigningSecret() : undefined
    const { result, problems } = await addChannel(context, kind, form, secret)

    if (!result) return showForm(reply.code(400), context, { kind, form, problems })
    if (secret) setNotice(reply, { channelId: result.id, secret })
    flash(reply, 'The channel is saved. Send a test to see whether messages arrive.')

    return redirect(reply, `${notificationsUrl(context)}/channels/${result.id}`)
  })
}

async function addChannel(context: PageContext, kind: ChannelKind, form: ChannelForm, secret?: string) {
  const email = form.email && (await toEmailSettings(context, form.email))

  if (email?.problems) return { problems: { ...(await findProblems(context, channels, toChannelBody(kind, form))), ...email.problems } }
  const body = toChannelBody(kind, form, email?.settings)

  return saveRow(context, channels, secret ? { ...body, settings: { ...body.settings, signing_secret: secret } } : body)
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

interface NewChannel {
  kind: ChannelKind
  form: ChannelForm
  problems?: Problems
}

function showForm(reply: FastifyReply, context: PageContext, { kind, form, problems }: NewChannel) {
  const { name, description } = kindTexts[kind]

  return notificationPage(
    reply,
    context,
    `Connect ${name}`,
    html`
    <h1>Connect ${name}</h1>
    <p class="lead">${description}</p>
    <div class="column">
      ${formOf(
        reply.request,
        { action: `${notificationsUrl(context)}/channels/new?kind=${kind}` },
        html`${channelFields(kind, form, { problems, isStored: false })}<button>Save channel</button>`
      )}
    </div>`
  )
}
