import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { definedIn } from '#lib/json.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { columnsOf, lockOwner, type Owner } from '#projects/owner.ts'
import { checkSecrets, checkVariables, checkWebhook, Invalid, VariablesMissing } from './check-webhook.ts'
import { sendableHeaders } from './custom-headers.ts'
import { fillUrl } from './fill-url.ts'
import { hideCredentials } from './hide-credentials.ts'
import { openSecrets, sealSecrets, Webhook, type WebhookSecrets } from './webhook.ts'
import { flagsOf, type Pair, type WebhookBody } from './webhook-schemas.ts'

interface Config {
  secretKey?: string | undefined
  dataDir: string
  outbound: { allowsPrivate: boolean }
}

const maxWebhooks = 100
const noSecrets: WebhookSecrets = { headers: {}, variables: {} }

export async function createWebhook(em: EntityManager, config: Config, owner: Owner, body: WebhookBody, by: Actor) {
  return em.transactional(async em => {
    await lockOwner(em, owner)
    if ((await em.count(Webhook, columnsOf(owner))) >= maxWebhooks) throw new Rejected(`there are ${maxWebhooks} webhooks already`)
    const defaults = owner.kind === 'system' ? { repository_update_events: true } : { push_events: true }
    const webhook = em.create(Webhook, { ...columnsOf(owner), url: body.url!, events: defaults })

    await assign(config, webhook, owner, body, { headers: {}, variables: {} })
    await em.flush()
    recordChange(em, by, owner, webhook, 'webhook_created')

    return webhook
  })
}

/** A change enables a webhook again that failed too often. */
export async function updateWebhook(em: EntityManager, config: Config, owner: Owner, webhook: Webhook, body: WebhookBody, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, webhook)
    await assign(config, webhook, owner, body, await secretsOf(config, webhook))
    webhook.enable()
    recordChange(em, by, owner, webhook, 'webhook_updated')
  })
}

export async function deleteWebhook(em: EntityManager, owner: Owner, webhook: Webhook, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, webhook)
    recordChange(em, by, owner, webhook, 'webhook_deleted')
    em.remove(webhook)
  })
}

/** Sets or removes a custom header or a URL variable. */
export async function changeValue(
  em: EntityManager,
  config: Config,
  { owner, webhook, by }: { owner: Owner; webhook: Webhook; by: Actor },
  { kind, key, value }: { kind: 'headers' | 'variables'; key: string; value?: string }
) {
  await em.transactional(async em => {
    await lockForChange(em, webhook)
    const secrets = await secretsOf(config, webhook)
    const changed = changedValues(secrets[kind], { kind, key, value })

    if (Object.keys(changed).length > 20) throw new Rejected('there are 20 already')
    if (kind === 'headers') await store(config, webhook, { ...secrets, headers: changed })
    else await store(config, webhook, changedVariable(webhook, secrets, { variables: changed, key }))
    recordChange(em, by, owner, webhook, 'webhook_updated')
  })
}

/** Names of headers are the same in upper and lower case. */
function changedValues(values: Record<string, string>, { kind, key, value }: { kind: string; key: string; value: string | undefined }) {
  const isSame = (name: string) => name === key || (kind === 'headers' && name.toLowerCase() === key.toLowerCase())
  const kept = Object.entries(values).filter(([name]) => !isSame(name))

  return Object.fromEntries(value === undefined ? kept : [...kept, [key, value]])
}

/** A variable that changes the address drops the other secrets, as a changed URL does. */
function changedVariable({ url }: Webhook, former: WebhookSecrets, { variables, key }: { variables: Record<string, string>; key: string }) {
  if (fillUrl(url, variables) === fillUrl(url, former.variables)) return { ...former, variables }
  const isOther = Object.keys(former.variables).some(name => name !== key && isNamed(url, name, former.variables))

  // The value of another variable would be sent to the new address.
  if (isOther) throw new VariablesMissing()

  return { headers: {}, variables }
}

async function secretsOf(config: Config, webhook: Webhook): Promise<WebhookSecrets> {
  const secrets = (await openSecrets(config, webhook)) ?? noSecrets

  return { ...secrets, headers: sendableHeaders(secrets.headers) }
}

/** A new address is not told the secrets of the former one: they are dropped unless they are sent again. */
async function assign(config: Config, webhook: Webhook, { kind }: Owner, body: WebhookBody, secrets: WebhookSecrets) {
  const formerUrl = fillUrl(webhook.url, secrets.variables)
  const given = body.url === undefined ? undefined : hideCredentials(body.url)
  const hasNewUrl = given !== undefined && given.url !== webhook.url
  const flags = definedIn(Object.fromEntries(flagsOf[kind].map(flag => [flag, body[flag]])))

  Object.assign(
    webhook,
    definedIn({
      url: given?.url,
      name: body.name,
      description: body.description,
      events: { ...webhook.events, ...flags },
      pushEventsBranchFilter: body.push_events_branch_filter === null ? '' : body.push_events_branch_filter,
      branchFilterStrategy: body.branch_filter_strategy,
      enableSslVerification: body.enable_ssl_verification,
      customWebhookTemplate: body.custom_webhook_template
    })
  )
  checkWebhook(webhook, config.outbound.allowsPrivate)
  const formerVariables = hasNewUrl ? {} : secrets.variables
  const named = body.url_variables ? toObject(body.url_variables, formerVariables) : formerVariables
  const variables = { ...named, ...given?.variables }
  const isElsewhere = hasNewUrl || fillUrl(webhook.url, variables) !== formerUrl
  const kept = isElsewhere ? noSecrets : secrets

  if (isElsewhere && body.url_variables?.some(({ key, value }) => value === undefined && isNamed(webhook.url, key, variables))) {
    throw new VariablesMissing()
  }

  await store(config, webhook, {
    token: changedSecret(body.token, kept.token),
    signingToken: changedSecret(body.signing_token, kept.signingToken),
    headers: body.custom_headers ? headersIn(body.custom_headers, kept.headers) : kept.headers,
    variables
  })
}

async function store(config: Config, webhook: Webhook, secrets: WebhookSecrets) {
  checkSecrets(secrets)
  checkVariables(webhook.url, secrets.variables)
  webhook.secrets = await sealSecrets(config, webhook, secrets)
  webhook.urlVariableKeys = Object.keys(secrets.variables)
  webhook.customHeaderKeys = Object.keys(secrets.headers)
}

function changedSecret(given: string | null | undefined, stored: string | undefined) {
  return given === undefined ? stored : given || undefined
}

function headersIn(pairs: Pair[], stored: Record<string, string>) {
  if (new Set(pairs.map(({ key }) => key.toLowerCase())).size < pairs.length) throw new Invalid('header')

  return toObject(pairs, stored)
}

/** A pair without a value keeps the stored one. */
function toObject(pairs: Pair[], stored: Record<string, string>) {
  const filled = pairs.map(({ key, value }) => [key, value ?? (Object.hasOwn(stored, key) ? stored[key] : undefined)])

  return definedIn(Object.fromEntries(filled)) as Record<string, string>
}

function isNamed(url: string, key: string, variables: Record<string, string>) {
  return Object.hasOwn(variables, key) && url.includes(`{${key}}`)
}

function recordChange(em: EntityManager, by: Actor, { audited }: Owner, { id, url }: Webhook, name: string) {
  recordAuditEvent(em, by, {
    name,
    entity: audited.type === 'Instance' ? instance : audited,
    target: { type: 'Webhook', id, details: URL.parse(url)?.host ?? '' }
  })
}
