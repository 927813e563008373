import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import t from 'tap'
import { severities } from '#lib/severity.ts'
import { newSigningSecret } from '#notifications/channels/kinds/webhook.ts'
import type { ChannelKind } from '#notifications/channels/web-channels.ts'
import { webChannelOf } from '#notifications/channels/web-channels.ts'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { type OutboxKind, outboxKinds } from '#outbox/outbox-entry.ts'
import fc from '../support/properties.ts'

const at = new Date('2026-11-23T03:00:00Z')
const settings = { url: 'https://example.com/hook', topic: 'alerts', routing_key: 'a'.repeat(32), signing_secret: newSigningSecret() }
const bytes = (text: string) => Buffer.byteLength(text)

/** Texts of users: markup of every receiver, mentions, control characters, and text longer than any limit. */
const pieces = [
  '<!channel> ',
  '@channel ',
  '@everyone ',
  '<@U1>',
  '](https://evil.example)',
  '```',
  '**',
  '&amp;',
  '|',
  '\\',
  '"',
  '\n',
  '\u0001',
  '日本',
  '👩‍🚒',
  '\u202e',
  ' ',
  'a'
]
const hostile = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 })
  .chain(parts => fc.constantFrom(1, 20, 400).map(times => parts.join('').repeat(times)))
const fact = fc.tuple(fc.constantFrom('Description', 'Service', 'Hosts', 'Environment', 'Monitoring tool', 'Runbook'), hostile)

const occurrence: fc.Arbitrary<Occurrence> = fc
  .record({
    kind: fc.constantFrom(...outboxKinds),
    title: hostile,
    severity: fc.constantFrom(...severities),
    text: fc.option(hostile, { nil: undefined }),
    facts: fc.array(fact, { maxLength: 12 })
  })
  .map(({ kind, title, severity, text, facts }) => ({
    entry: { id: 1, kind, projectId: 1, subjectId: 7, actorId: null, data: {}, createdAt: at },
    text,
    subject: {
      type: 'alert',
      id: 7,
      projectId: 1,
      reference: '^alert#7',
      title,
      url: 'https://tocsin.example/projects/1/alerts/7',
      status: 'triggered',
      severity,
      environments: ['production'],
      releases: [],
      tags: ['service=shop'],
      minRole: 0,
      assigneeIds: [],
      facts
    }
  }))

const message: fc.Arbitrary<Message> = fc
  .record({
    occurrences: fc.array(occurrence, { minLength: 1, maxLength: 12 }),
    more: fc.constantFrom(0, 5000),
    name: hostile,
    isLimited: fc.boolean()
  })
  .map(({ occurrences, more, name, isLimited }) => ({
    id: 'notification-1',
    project: { id: 1, name: `Shop ${name}`.slice(0, 255), url: 'https://tocsin.example/projects/1' },
    occurrences,
    total: occurrences.length + more,
    url: 'https://tocsin.example/projects/1/notifications/deliveries/1',
    worst: occurrences[0]!.subject.severity,
    reason: 'rule "On call"',
    isLimited,
    at
  }))

// biome-ignore lint/suspicious/noExplicitAny: the JSON of any receiver
type Json = any

/** Every message that a channel writes meets the limits of its receiver. */
function limitsOf(kind: ChannelKind, check: (payload: Json, body: string) => void) {
  return async () =>
    fc.assert(
      fc.property(message, message => {
        const { body } = webChannelOf(kind)!.write(message, settings)

        check(JSON.parse(body), body)
        if (!body.includes(message.total === 1 ? message.occurrences[0]!.subject.url : message.url)) throw new Error('it has no link')
      }),
      { numRuns: 60 }
    )
}

function atMost(limit: number, value: string | undefined, what: string) {
  if (value !== undefined && value.length > limit) throw new Error(`${what} has ${value.length} characters`)
}

function expectThat(isTrue: boolean, what: string) {
  if (!isTrue) throw new Error(what)
}

/** https://api.slack.com/reference/messaging/attachments, and the limit of a message's text. */
function checkAttachments({ text, attachments: [attachment, ...others] }: Json) {
  atMost(4000, text, 'text')
  atMost(4000, attachment.text, 'the text of the attachment')
  atMost(300, attachment.footer, 'footer')
  expectThat(others.length === 0 && (attachment.fields?.length ?? 0) <= 20, 'fields')
  for (const { value } of attachment.fields ?? []) atMost(2000, value, 'value')
  expectThat(!/<[!@#]/.test(JSON.stringify([text, attachment])), 'no one is mentioned')
}

t.test('Slack: texts and footers are short, and no one is mentioned', limitsOf('slack', checkAttachments))

/** Mattermost finds mentions in the text of messages and attachments. */
t.test(
  'Mattermost: as Slack, and names after an @ are no mentions',
  limitsOf('mattermost', (payload, body) => {
    checkAttachments(payload)
    expectThat(!/@\w/.test(body), 'no one is mentioned')
  })
)

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
t.test(
  'Discord: an embed has 6,000 characters, and its parts fewer',
  limitsOf('discord', ({ embeds, allowed_mentions: mentions, username }: Json) => {
    const [{ title, description = '', author, footer, fields = [] }] = embeds
    const values = fields.flatMap(({ name, value }: Json) => [name, value])

    expectThat(embeds.length === 1 && mentions.parse.length === 0 && !/discord/i.test(username), 'one embed without mentions')
    atMost(256, title, 'title')
    atMost(4096, description, 'description')
    atMost(256, author.name, 'author')
    atMost(2048, footer.text, 'footer')
    for (const { name, value } of fields) {
      atMost(256, name, 'name')
      atMost(1024, value, 'value')
    }
    expectThat(fields.length <= 25 && [title, author.name, ...values].every(text => text.trim()), 'nothing is empty')
    atMost(6000, [title, description, author.name, footer.text, ...values].join(''), 'the embed')
  })
)

/** Webhooks of Teams refuse messages above 28 KB; elements and properties are those of Adaptive Cards 1.4. */
t.test(
  'Teams: an Adaptive Card in a message of at most 28 KB',
  limitsOf('teams', ({ type, attachments }: Json, body) => {
    const [{ contentType, content: card }] = attachments
    const properties: Record<string, string[]> = {
      TextBlock: ['type', 'text', 'weight', 'size', 'color', 'isSubtle', 'wrap'],
      FactSet: ['type', 'facts']
    }

    expectThat(bytes(body) <= 28_000, `the message has ${bytes(body)} bytes`)
    expectThat(type === 'message' && contentType === 'application/vnd.microsoft.card.adaptive', 'the envelope of a card')
    expectThat(card.type === 'AdaptiveCard' && card.version === '1.4', 'a card')
    for (const element of card.body)
      expectThat(
        Object.keys(element).every(name => properties[element.type]?.includes(name)),
        element.type
      )
    for (const { type, text, facts } of card.body) {
      expectThat(type === 'FactSet' ? facts.length > 0 : typeof text === 'string' && text !== '', `${type} is not empty`)
    }
  })
)

/** https://developer.pagerduty.com/docs/events-api-v2/trigger-events/ */
t.test(
  'PagerDuty: an event of API v2',
  limitsOf('pagerduty', (event: Json, body) => {
    const { event_action: action, dedup_key: key, routing_key: routingKey, links, payload } = event

    expectThat(['trigger', 'acknowledge', 'resolve'].includes(action), 'action')
    expectThat(/^\w{32}$/.test(routingKey) && key.length > 0 && key.length <= 255, 'keys')
    atMost(1024, payload.summary, 'summary')
    expectThat(payload.summary.length > 0 && payload.source.length > 0, 'summary and source')
    expectThat(['critical', 'error', 'warning', 'info'].includes(payload.severity), 'severity')
    expectThat(!Number.isNaN(Date.parse(payload.timestamp)), 'timestamp')
    expectThat(
      links.every(({ href, text }: Json) => href && text),
      'links'
    )
    expectThat(bytes(body) <= 512 * 1024, 'size')
  })
)

/** https://docs.ntfy.sh/publish/#publish-as-json: longer messages become attachments. */
t.test(
  'ntfy: a message has 4,096 bytes',
  limitsOf('ntfy', ({ topic, title, message, priority, tags, click }: Json) => {
    expectThat(bytes(message) <= 4096 && message !== '', `the message has ${bytes(message)} bytes`)
    expectThat(bytes(title) <= 1024 && topic === 'alerts' && priority >= 1 && priority <= 5, 'title, topic and priority')
    expectThat(tags.length === 1 && click.startsWith('https://'), 'tags and click')
  })
)

t.test(
  'a webhook stays below a megabyte, and is signed',
  limitsOf('webhook', ({ type, timestamp, data }: Json, body) => {
    expectThat(bytes(body) < 1_000_000, `the message has ${bytes(body)} bytes`)
    expectThat(typeof type === 'string' && !Number.isNaN(Date.parse(timestamp)) && data.occurrences.length > 0, 'type, timestamp and data')
  })
)

t.test('Standard Webhooks: the signature is verified by its library, also while a secret is replaced', async t => {
  const [old, current, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
  const [sample] = fc.sample(message, { numRuns: 1, seed: 1 })
  const write = (secrets: object) => {
    const { body, headers = {} } = webChannelOf('webhook')!.write(sample!, { url: settings.url, ...secrets })

    return { verify: (secret: string) => new Webhook(secret).verify(body, headers), body, headers }
  }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const plain = write({ signing_secret: current })

  t.same(plain.verify(current), JSON.parse(plain.body))
  t.throws(() => plain.verify(other), WebhookVerificationError, 'another secret')
  t.throws(() => new Webhook(current).verify(`${plain.body} `, plain.headers), WebhookVerificationError, 'a changed body')
  t.throws(() => new Webhook(current).verify(plain.body, { ...plain.headers, 'webhook-id': 'x' }), WebhookVerificationError, 'another id')

  const replaced = write({ signing_secret: current, former_signing_secret: old, replaced_at: hoursAgo(23) })

  t.equal(replaced.headers['webhook-signature']!.split(' ').length, 2)
  t.ok(replaced.verify(current))
  t.ok(replaced.verify(old))
  t.throws(() => replaced.verify(other), WebhookVerificationError)
  t.throws(
    () => write({ signing_secret: current, former_signing_secret: old, replaced_at: hoursAgo(25) }).verify(old),
    WebhookVerificationError,
    'a day later'
  )
})

t.test('gathered resolutions open no incident at PagerDuty', async t => {
  const [sample] = fc.sample(message, 1)
  const [one] = sample!.occurrences
  const of = (...kinds: OutboxKind[]) => kinds.map(kind => ({ ...one!, entry: { ...one!.entry, kind } }))
  const actionOf = (occurrences: Occurrence[], total = occurrences.length) =>
    JSON.parse(webChannelOf('pagerduty')!.write({ ...sample!, occurrences, total }, settings).body).event_action

  t.equal(actionOf(of('alert.resolved', 'alert.acknowledged')), 'resolve')
  t.equal(actionOf(of('alert.resolved', 'alert.triggered')), 'trigger')
  t.equal(actionOf(of('alert.resolved', 'alert.resolved'), 300), 'trigger', 'there may be others among those that are not shown')
})
