import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#platform/database/encryption.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import type { Message, Occurrence } from '../messages/message.ts'
import { isPersonal } from '../recipients/wants-notification.ts'

type KeySource = Parameters<typeof deriveKey>[0]

const purpose = 'unsubscribing from notifications'

/** What a link unsubscribes from: an issue, or all that the rules of a project send. */
export interface Unsubscription {
  target: string
  projectId: number
  /** Such as `issue-12`; empty for the rules. */
  subject: string
}

/** The link needs no sign-in: its signature proves that the recipient got the mail. */
export async function unsubscribeUrl(config: KeySource & { baseUrl: string }, delivery: Delivery, message: Message) {
  const { target, projectId } = delivery
  const token = await writeToken(config, { target, projectId, subject: optOutSubject(message.occurrences[0]!, delivery) })

  return `${config.baseUrl}/unsubscribe?token=${encodeURIComponent(token)}`
}

/** An issue with its comments, or the moves of a project, by personal settings; empty for what rules send. */
export function optOutSubject({ entry, subject }: Pick<Occurrence, 'entry' | 'subject'>, { channelId }: { channelId?: number | null }) {
  return !channelId && isPersonal(entry.kind) ? `${subject.type}-${subject.id}` : ''
}

async function writeToken(source: KeySource, { target, projectId, subject }: Unsubscription) {
  const text = Buffer.from(JSON.stringify([target, projectId, subject])).toString('base64url')

  return `${text}.${sign(await deriveKey(source, purpose), text)}`
}

/** Undefined for an invalid token. */
export async function readToken(source: KeySource, token: string): Promise<Unsubscription | undefined> {
  const [text = '', signature = ''] = token.split('.')
  const expected = Buffer.from(sign(await deriveKey(source, purpose), text))
  const given = Buffer.from(signature)

  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const [target, projectId, subject] = JSON.parse(Buffer.from(text, 'base64url').toString())

  return { target, projectId, subject }
}

function sign(key: Buffer, text: string) {
  return createHmac('sha256', key).update(text).digest('base64url')
}
