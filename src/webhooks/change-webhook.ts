import { isIP } from 'node:net'
import { RE2JS } from 're2js'
import { type Actor, instance, record } from '../audit/record-audit-event.ts'
import { lockForChange } from '../http/conditional-requests.ts'
import { BadRequest, Problem } from '../http/problems/problems.ts'
import { definedIn } from '../lib/json.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { isPrivate } from '../platform/network/private-networks.ts'
import { openSecrets, sealSecrets, Webhook, type WebhookSecrets } from './webhook.ts'
import { flagsOf, type Place, type WebhookBody } from './webhook-schemas.ts'

/** Who has the webhook. */
export interface WebhookOwner {
  place: Place
  /** Of the project or group. */
  id: number | null
  audited: { type: 'Project' | 'Group' | 'Instance'; id: number; path: string }
}

interface Config {
  secretKey?: string | undefined
  dataDir: string
  outbound: { allowsPrivate: boolean }
}

const maxWebhooks = 100

export function webhooksOf({ place, id }: WebhookOwner) {
  return { projectId: place === 'project' ? id : null, groupId: place === 'group' ? id : null }
}

export async function createWebhook(em: EntityManager, config: Config, owner: WebhookOwner, body: WebhookBody, by: Actor) {
  checkBody(body, config)

  return em.transactional(async em => {
    if ((await em.count(Webhook, webhooksOf(owner))) >= maxWebhooks) throw new BadRequest(`there are ${maxWebhooks} webhooks already`)
    const defaults = owner.place === 'system' ? { repository_update_events: true } : { push_events: true }
    const webhook = em.create(Webhook, { ...webhooksOf(owner), url: body.url!, events: defaults })

    await assign(config, webhook, owner, body, { headers: {}, variables: {} })
    await em.flush()
    recordChange(em, by, owner, webhook, 'webhook_created')

    return webhook
  })
}

/** A change enables a webhook again that failed too often. */
export async function updateWebhook(
  em: EntityManager,
  config: Config,
  owner: WebhookOwner,
  webhook: Webhook,
  body: WebhookBody,
  by: Actor
) {
  checkBody(body, config)
  await em.transactional(async em => {
    await lockForChange(em, webhook, by)
    await assign(config, webhook, owner, body, await secretsOf(config, webhook))
    webhook.enable()
    recordChange(em, by, owner, webhook, 'webhook_updated')
  })
}

export async function deleteWebhook(em: EntityManager, owner: WebhookOwner, webhook: Webhook, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, webhook, by)
    recordChange(em, by, owner, webhook, 'webhook_deleted')
    em.remove(webhook)
  })
}

/** Sets or removes a custom header or a URL variable. */
export async function changeValue(
  em: EntityManager,
  config: Config,
  { owner, webhook, by }: { owner: WebhookOwner; webhook: Webhook; by: Actor },
  { kind, key, value }: { kind: 'headers' | 'variables'; key: string; value?: string }
) {
  await em.transactional(async em => {
    await lockForChange(em, webhook, by)
    const secrets = await secretsOf(config, webhook)
    const { [key]: _former, ...rest } = secrets[kind]
    const changed = value === undefined ? rest : { ...rest, [key]: value }

    if (Object.keys(changed).length > 20) throw new BadRequest('there are 20 already')
    await store(config, webhook, { ...secrets, [kind]: changed })
    recordChange(em, by, owner, webhook, 'webhook_updated')
  })
}

async function secretsOf(config: Config, webhook: Webhook): Promise<WebhookSecrets> {
  return (await openSecrets(config, webhook)) ?? { headers: {}, variables: {} }
}

async function assign(config: Config, webhook: Webhook, { place }: WebhookOwner, body: WebhookBody, secrets: WebhookSecrets) {
  const flags = definedIn(Object.fromEntries(flagsOf[place].map(flag => [flag, body[flag]])))

  Object.assign(
    webhook,
    definedIn({
      url: body.url,
      name: body.name,
      description: body.description,
      events: { ...webhook.events, ...flags },
      pushEventsBranchFilter: body.push_events_branch_filter === null ? '' : body.push_events_branch_filter,
      branchFilterStrategy: body.branch_filter_strategy,
      enableSslVerification: body.enable_ssl_verification,
      customWebhookTemplate: body.custom_webhook_template
    })
  )
  await store(config, webhook, {
    token: changedSecret(body.token, secrets.token),
    signingToken: changedSecret(body.signing_token, secrets.signingToken),
    headers: body.custom_headers ? toObject(body.custom_headers) : secrets.headers,
    variables: body.url_variables ? toObject(body.url_variables) : secrets.variables
  })
}

async function store(config: Config, webhook: Webhook, secrets: WebhookSecrets) {
  webhook.secrets = await sealSecrets(config, webhook, secrets)
  webhook.urlVariableKeys = Object.keys(secrets.variables)
  webhook.customHeaderKeys = Object.keys(secrets.headers)
}

function changedSecret(given: string | null | undefined, stored: string | undefined) {
  return given === undefined ? stored : given || undefined
}

function toObject(pairs: { key: string; value: string }[]) {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
}

/** What GitLab answers. */
class Invalid extends Problem {
  constructor(what: string) {
    super(422, { error: `Invalid ${what} given`, message: `Invalid ${what} given` })
  }
}

function checkBody({ url, push_events_branch_filter: filter, branch_filter_strategy: strategy, ...body }: WebhookBody, config: Config) {
  if (url !== undefined && !isAllowedUrl(url, config)) throw new Invalid('url')
  if (filter && strategy === 'regex' && !isRegex(filter)) throw new Invalid('branch filter')
  const values = [body.token ?? '', ...(body.custom_headers ?? []).map(({ value }) => value)]

  // Values of headers are printable (RFC 9110 §5.5).
  if (values.some(value => /[^\t\x20-\x7e]/.test(value))) throw new Invalid('header')
}

/** Names that lead to private addresses are refused when the webhook is sent. */
function isAllowedUrl(text: string, { outbound }: Config) {
  const url = URL.parse(text.replaceAll(/\{[A-Za-z0-9_-]{1,100}\}/g, 'x'))
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''

  if (!url || !/^https?:$/.test(url.protocol)) return false

  return outbound.allowsPrivate || (host !== 'localhost' && !(isIP(host) && isPrivate(host)))
}

function isRegex(text: string) {
  try {
    return Boolean(RE2JS.compile(text))
  } catch {
    return false
  }
}

function recordChange(em: EntityManager, by: Actor, { audited }: WebhookOwner, { id, url }: Webhook, name: string) {
  record(em, by, {
    name,
    entity: audited.type === 'Instance' ? instance : audited,
    target: { type: 'Webhook', id, details: URL.parse(url)?.host ?? '' }
  })
}
