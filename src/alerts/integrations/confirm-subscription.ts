import { verify, X509Certificate } from 'node:crypto'
import type { Logger } from 'pino'
import { fetchOutbound } from '#platform/network/outbound.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { confirmSubscription } from './jobs.ts'
import { snsUrl } from './sns-message.ts'

type SnsMessage = Record<string, string | undefined>

/** GETs a URL, within limits of time and size. */
export type Get = (url: URL) => Promise<{ status: number; text: string }>

/** The message does not come from SNS. */
class ForgedMessage extends Error {}

const certificatePath = /^\/SimpleNotificationService-[0-9A-Za-z]+\.pem$/
const algorithms = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256']
])
/** The members that a signature covers, in its order. */
const signedMembers = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

/** Confirms a subscription. A forged message is only logged: a retry would not change it. */
export async function confirm({ integrationId, message }: ItemOf<typeof confirmSubscription>, log: Logger, get: Get = getFromSns) {
  const subject = { integration: integrationId, topic: message.TopicArn }

  try {
    await requestConfirmation(message, get)
    log.info(subject, 'confirmed the subscription to an SNS topic')
  } catch (error) {
    if (!(error instanceof ForgedMessage)) throw error
    log.warn({ ...subject, reason: error.message }, 'refused to confirm the subscription to an SNS topic')
  }
}

/** Verifies that the message and its URLs are those of SNS, then requests the URL that confirms the subscription. */
async function requestConfirmation(message: SnsMessage, get: Get) {
  const url = snsUrl(message.SubscribeURL)

  if (url?.searchParams.get('Action') !== 'ConfirmSubscription' || url.searchParams.get('TopicArn') !== message.TopicArn) {
    throw new ForgedMessage('its SubscribeURL is not one of SNS')
  }
  await checkSignature(message, get)
  const { status } = await get(url)

  if (status !== 200) throw new Error(`SNS answered ${status} to the confirmation of ${message.TopicArn}`)
}

async function checkSignature(message: SnsMessage, get: Get) {
  const url = snsUrl(message.SigningCertURL)
  const algorithm = algorithms.get(message.SignatureVersion ?? '')

  if (!url || !certificatePath.test(url.pathname) || url.search) throw new ForgedMessage('its SigningCertURL is not one of SNS')
  if (!algorithm) throw new ForgedMessage('its SignatureVersion is neither 1 nor 2')
  const { status, text } = await get(url)

  if (status !== 200) throw new Error(`SNS answered ${status} to the request of its certificate`)
  const signed = signedMembers.map(name => `${name}\n${message[name]}\n`).join('')
  const { publicKey } = new X509Certificate(text)

  if (!verify(algorithm, Buffer.from(signed), publicKey, Buffer.from(message.Signature ?? '', 'base64'))) {
    throw new ForgedMessage('its signature is not valid')
  }
}

function getFromSns(url: URL) {
  return fetchOutbound(url, { headers: { 'user-agent': 'Tocsin' }, allowsPrivate: false, maxBytes: 65_536 })
}
