import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import { rotateSigningSecret } from '#notifications/channels/rotate-signing-secret.ts'
import { sendTestMessage } from '#notifications/channels/send-test-message.ts'
import { removeRow } from '#notifications/project-resource.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { notificationsUrl } from '../frame.ts'
import { channelContext } from './channel-context.ts'
import { channelFormOf, formOfChannel, saveChannel } from './channel-form.ts'
import { showChannel } from './channel-view.ts'
import { setNotice, takeNotice } from './one-time-notice.ts'

const path = '/projects/:id/notifications/channels/:channel(^\\d{1,15}$)'

/** A channel: its fields, a test, its signing secret, and its removal. */
export async function channelPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }
  const { config, mail } = app.platform

  app.get(path, guard, async (request, reply) => {
    const context = await channelContext(request)

    return showChannel(reply, context, await formOfChannel(context, context.channel), takeNotice(reply, context.channel.id))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await channelContext(request)
    const { channel } = context
    const form = readForm(request, channelFormOf(channel.kind))

    if (!(await saveChannel(context, form, channel))) return showChannel(reply.code(400), context, form)
    flash(reply, 'Channel saved.')

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
    flash(reply, 'Channel deleted.')

    return redirect(reply, notificationsUrl(context))
  })
}
