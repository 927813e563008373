import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import t from 'tap'
import { confirm, type Get } from '#alerts/integrations/confirm-subscription.ts'
import { confirmSubscription } from '#alerts/integrations/jobs.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'

/** A key pair of our own in the place of Amazon's. */
const file = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')
const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms'
const certificateUrl = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem'
const subscribeUrl = `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37fb687f5d51`

type Message = Record<string, string>

/** The first message of SNS to a new endpoint. */
function aConfirmation(members: Message = {}, algorithm = 'RSA-SHA1'): Message {
  const message: Message = {
    Type: 'SubscriptionConfirmation',
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    Token: '2336412f37fb687f5d51',
    TopicArn: topic,
    Message: `You have chosen to subscribe to the topic ${topic}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    SubscribeURL: subscribeUrl,
    Timestamp: '2026-11-21T10:00:00.000Z',
    SignatureVersion: '1',
    SigningCertURL: certificateUrl,
    ...members
  }
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const signed = names.map(name => `${name}\n${message[name]}\n`).join('')

  return { ...message, Signature: sign(algorithm, Buffer.from(signed), file('sns-key.pem')).toString('base64'), ...members }
}

/** Answers in Amazon's place, and returns the URLs that were requested and the messages that were logged. */
async function confirmWith(message: Message, statuses: { certificate?: number; subscription?: number } = {}) {
  const urls: string[] = []
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).reason ?? JSON.parse(line).msg) })
  const get: Get = async ({ href, pathname }) => {
    urls.push(href)

    return pathname.endsWith('.pem')
      ? { status: statuses.certificate ?? 200, text: file('sns-certificate.pem') }
      : { status: statuses.subscription ?? 200, text: '<ConfirmSubscriptionResponse/>' }
  }

  await confirm({ integrationId: 1, cause: 'c', message }, log, get)

  return { urls, logged }
}

onBothBackends(t, 'a subscription message of SNS is no alert, and is confirmed by a job', async (t, kind) => {
  const { send, alerts, platform } = await openAlertedProject(t, { kind })
  const waiting = async () => {
    const jobs = await platform.queues.get(confirmSubscription.queue).getJobs(['waiting', 'prioritized', 'delayed'])

    return jobs.filter(({ name }) => name === confirmSubscription.name).length
  }

  t.same((await send(aConfirmation({ Type: 'UnsubscribeConfirmation' }))).json(), [])
  t.same((await send(aConfirmation(), { 'content-type': 'text/plain; charset=UTF-8' })).json(), [])
  await eventually(async () => (await waiting()) > 0, 'the confirmation waits')
  t.equal(await waiting(), 1, 'an ended subscription is not renewed')
  t.same(await alerts(), [])

  t.equal((await send({ ...aConfirmation(), Type: 'Notification', Message: 'Down' })).json().length, 1)
  const refused = await send(aConfirmation(), { authorization: '' })
  t.equal(refused.statusCode, 401)
  t.equal(refused.headers['www-authenticate'], 'Basic realm="alerts"', 'SNS sends the password of its URL after a challenge')
})

t.test('a message that SNS signed is confirmed', async t => {
  t.same(await confirmWith(aConfirmation()), {
    urls: [certificateUrl, subscribeUrl],
    logged: ['confirmed the subscription to an SNS topic']
  })
  t.same((await confirmWith(aConfirmation({ SignatureVersion: '2' }, 'RSA-SHA256'))).urls, [certificateUrl, subscribeUrl])
})

t.test('a message with a URL that is not one of SNS is refused without any request', async t => {
  const query = `?Action=ConfirmSubscription&TopicArn=${topic}`
  const forged: Message[] = [
    { SubscribeURL: subscribeUrl.replace('https', 'http') },
    { SubscribeURL: `https://sns.eu-central-1.amazonaws.com.evil.example/${query}` },
    { SubscribeURL: `https://evil.example/sns.eu-central-1.amazonaws.com/${query}` },
    { SubscribeURL: `https://sns.eu-central-1.amazonaws.com@evil.example/${query}` },
    { SubscribeURL: `https://sns.eu-central-1.amazonaws.com:8443/${query}` },
    { SubscribeURL: `https://user:password@sns.eu-central-1.amazonaws.com/${query}` },
    { SubscribeURL: `https://s3.eu-central-1.amazonaws.com/${query}` },
    { SubscribeURL: `https://169.254.169.254/${query}` },
    { SubscribeURL: subscribeUrl.replace('ConfirmSubscription', 'Publish') },
    { SubscribeURL: subscribeUrl.replace('alarms', 'another') },
    { SubscribeURL: 'nonsense' },
    { SigningCertURL: 'https://evil.example/SimpleNotificationService-1.pem' },
    { SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/?Action=GetTopic' },
    { SigningCertURL: certificateUrl.replace('https', 'http') },
    { SignatureVersion: '3' }
  ]

  for (const members of forged) t.same((await confirmWith(aConfirmation(members))).urls, [], JSON.stringify(members))
  const { SubscribeURL: _url, ...incomplete } = aConfirmation()
  t.same((await confirmWith(incomplete)).urls, [])
})

t.test('a message that was changed after it was signed is not confirmed', async t => {
  for (const members of [{ Signature: 'bm8=' }, { Signature: '' }]) {
    t.same(await confirmWith(aConfirmation(members)), { urls: [certificateUrl], logged: ['its signature is not valid'] })
  }
  t.same((await confirmWith({ ...aConfirmation(), Token: 'another' })).urls, [certificateUrl])
})

t.test('an answer other than 200 fails the job, which is retried', async t => {
  await t.rejects(confirmWith(aConfirmation(), { certificate: 503 }), /SNS answered 503 to the request of its certificate/)
  await t.rejects(confirmWith(aConfirmation(), { subscription: 500 }), /SNS answered 500 to the confirmation/)
})
