import { defineEntity, p } from '@mikro-orm/core'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { WebhookFlag } from './events.ts'

export type BranchFilterStrategy = 'wildcard' | 'regex' | 'all_branches'

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** A webhook without project and group is a system hook. */
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    name: p.text().nullable(),
    description: p.text().nullable(),
    /** `{name}` stands for a URL variable. */
    url: p.text(),
    events: p.json().$type<Partial<Record<WebhookFlag, boolean>>>(),
    pushEventsBranchFilter: p.text().default(''),
    branchFilterStrategy: p.text().$type<BranchFilterStrategy>().default('wildcard'),
    enableSslVerification: p.boolean().default(true),
    customWebhookTemplate: p.text().nullable(),
    urlVariableKeys: p.array<string>().columnType('text[]').default([]),
    customHeaderKeys: p.array<string>().columnType('text[]').default([]),
    /** Encrypted JSON. */
    secrets: p.blob().$type<Buffer>().nullable(),
    /** Without a success in between. */
    recentFailures: p.integer().default(0),
    disabledUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** As in GitLab: with the fourth failure a webhook pauses, with the fortieth it ends until it is changed or tested. */
export const failuresBeforePause = 4
export const failuresBeforeEnd = 40

/** An address that is told what happens in a project, a group or the installation. */
export class Webhook extends WebhookSchema.class {
  isDisabled() {
    return this.recentFailures >= failuresBeforeEnd
  }

  alertStatus(at: Date) {
    if (this.isDisabled()) return 'disabled'

    return this.isPaused(at) ? 'temporarily_disabled' : 'executable'
  }

  isPaused(at: Date) {
    return Boolean(this.disabledUntil && this.disabledUntil > at)
  }

  enable() {
    this.recentFailures = 0
    this.disabledUntil = null
  }
}

WebhookSchema.setClass(Webhook)

export interface WebhookSecrets {
  token?: string
  signingToken?: string
  headers: Record<string, string>
  variables: Record<string, string>
}

type KeySource = Parameters<typeof decrypt>[0]

export function sealSecrets(source: KeySource, owner: Owner, secrets: WebhookSecrets) {
  return encrypt(source, JSON.stringify(secrets), nameOf(owner))
}

/** Undefined when they were encrypted with another SECRET_KEY. */
export async function openSecrets(source: KeySource, webhook: Webhook): Promise<WebhookSecrets | undefined> {
  if (!webhook.secrets) return { headers: {}, variables: {} }
  const text = await decrypt(source, webhook.secrets, nameOf(webhook))

  return text === undefined ? undefined : JSON.parse(text)
}

type Owner = Pick<Webhook, 'projectId' | 'groupId'>

function nameOf({ projectId, groupId }: Owner) {
  return projectId ? `webhook of project ${projectId}` : groupId ? `webhook of group ${groupId}` : 'system hook'
}
