import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import type { EmailSettings } from '#notifications/channels/email-channel.ts'
import { rotateSigningSecret } from '#notifications/channels/rotate-signing-secret.ts'
import { sendTestMessage } from '#notifications/channels/send-test-message.ts'
import { removeRow } from '#notifications/project-resource.ts'
import { flash } from '#pages/layout/flash.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { emailFormOf, readEmailForm, toEmailSettings } from '../email-form.ts'
import { notificationsUrl } from '../frame.ts'
import { findProblems, saveRow } from '../save-row.ts'
import { type ChannelContext, channelContext } from './channel-context.ts'
import { type ChannelForm, formOfChannel, readChannelForm, toChannelBody } from './channel-form.ts'
import { showChannel } from './channel-view.ts'
import { setNotice, takeNotice } from './one-time-notice.ts'

const path = '/projects/:id/notifications/channels/:channel(^\\d{1,15}$)'

/** A channel: its fields, a test, its signing secret, and its removal. */
export async function channelPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }
  const { config, mail } = app.platform

  app.get(path, guard, async (request, reply) => {
    const context = await channelContext(request)

    return showChannel(reply, context, { form: await storedForm(context), shown: takeNotice(reply, context.channel.id) })
  })

  app.post(path, guard, async (request, reply) => {
    const context = await channelContext(request)
    const { kind } = context.channel
    const form = readChannelForm(request, kind, kind === 'email' ? readEmailForm(request) : undefined)
    const problems = await changeChannel(context, form)

    if (problems) return showChannel(reply.code(400), context, { form, problems })
    flash(reply, 'The channel is saved.')

    return redirect(reply, context.channelUrl)
  })

  app.post(`${path}/test`, guard, async (request, reply) => {
    const { channel, project, channelUrl } = await channelContext(request)
    const at = new Date()
    const { status, answer } = await sendTestMessage({ channel, project, user: request.user }, { config, mail }, at)

    setNotice(reply, { channelId: channel.id, test: { status, answer, ms: Date.now() - at.getTime() } })

    return redirect(reply, channelUrl)
  })

  app.post(`${path}/signing_secret`, guard, async (request, reply) => {
    const { admin, channel, channelUrl } = await channelContext(request)

    setNotice(reply, { channelId: channel.id, secret: await rotateSigningSecret(request.em, admin, channel.id, new Date()) })

    return redirect(reply, channelUrl)
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const context = await channelContext(request)

    await removeRow(request.em, context.admin, channels, context.channel.id, new Date())
    flash(reply, 'The channel is deleted.')

    return redirect(reply, notificationsUrl(context))
  })
}

async function storedForm(context: ChannelContext): Promise<ChannelForm> {
  const { channel } = context
  const email = channel.kind === 'email' ? await emailFormOf(context, channel.settings as unknown as EmailSettings) : undefined

  return formOfChannel(channel, email)
}

/** Returns what is wrong with the form. */
async function changeChannel(context: ChannelContext, form: ChannelForm) {
  const { kind, id } = context.channel
  const email = form.email && (await toEmailSettings(context, form.email))

  if (email?.problems) return { ...(await findProblems(context, channels, toChannelBody(kind, form), id)), ...email.problems }

  return (await saveRow(context, channels, toChannelBody(kind, form, email?.settings), id)).problems
}
