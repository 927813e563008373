import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { encryptSecrets } from '#notifications/channels/channel-secrets.ts'
import { newSigningSecret } from '#notifications/channels/kinds/webhook.ts'
import { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { NotificationRule, type Trigger } from '#notifications/rules/notification-rule.ts'
import type { World } from '../support/world.ts'

export interface Request {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any receiver
  body: any
}

/** A server that receives webhooks. `answers` are given in turn; the last one stays. */
export async function openReceiver(t: Test, ...answers: { status: number; headers?: Record<string, string>; text?: string }[]) {
  const requests: Request[] = []
  /** Awaited before each answer. */
  const receiver = { url: '', requests, onRequest: async (_request: Request) => {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []

    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { status, headers = {}, text: answer = '' } = answers[Math.min(requests.length, answers.length - 1)] ?? { status: 200 }

    const received = { headers: request.headers, text, body: text.startsWith('{') ? JSON.parse(text) : text }

    requests.push(received)
    await receiver.onRequest(received)
    response.writeHead(status, headers).end(answer)
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })

  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

  return receiver
}

/** A rule with a webhook. */
export async function aWebhookRule(
  { platform, config }: World,
  projectId: number,
  url: string,
  triggers: Trigger[],
  values: Partial<NotificationRule> & { hourlyLimit?: number } = {}
) {
  const em = platform.fork()
  const secret = newSigningSecret()
  const { hourlyLimit = 20, ...rule } = values
  const channel = em.create(NotificationChannel, {
    projectId,
    kind: 'webhook',
    name: 'Hook',
    settings: {},
    hourlyLimit,
    secrets: await encryptSecrets(config, projectId, { url, signing_secret: secret })
  })

  await em.flush()
  const created = em.create(NotificationRule, { projectId, name: 'On call', triggers, channelIds: [channel.id], ...rule })

  await em.flush()

  return { channel, rule: created, secret }
}
