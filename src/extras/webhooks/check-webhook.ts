import { UnusableInput } from '#lib/refusals.ts'
import { isPrintable } from '#platform/network/connection-headers.ts'
import { isOutboundUrl } from '#platform/network/outbound-url.ts'
import { compileFilter } from './branch-filter.ts'
import { isRefusedHeader } from './custom-headers.ts'
import { variablesIn } from './fill-url.ts'
import type { Webhook, WebhookSecrets } from './webhook.ts'

/** What GitLab answers. */
export class Invalid extends UnusableInput {
  override code = 'invalid_webhook'

  constructor(what: string, more = '') {
    super(`Invalid ${what} given${more}`)
  }
}

/** The other variables would be sent to a new address. */
export class VariablesMissing extends Invalid {
  override code = 'url_variables_missing'

  constructor() {
    super('url', ': send all of its variables again')
  }
}

/** Checks a webhook as it would be stored, under its lock: what single requests leave valid may be invalid together. */
export function checkWebhook({ url, branchFilterStrategy, pushEventsBranchFilter: filter }: Webhook, allowsPrivate: boolean) {
  if (!isAllowedUrl(url, true)) throw new Invalid('url')
  if (!isAllowedUrl(url, allowsPrivate))
    throw new Invalid('url', ': it leads to a private network. An admin allows that by OUTBOUND_PRIVATE_NETWORKS=true')
  if (filter && branchFilterStrategy === 'regex' && !compileFilter(filter)) throw new Invalid('branch filter')
}

export function checkSecrets({ token = '', headers }: WebhookSecrets) {
  if (Object.keys(headers).some(isRefusedHeader)) throw new Invalid('header')
  if (![token, ...Object.values(headers)].every(isPrintable)) throw new Invalid('header')
}

export function checkVariables(url: string, variables: Record<string, string>) {
  const missing = variablesIn(url).filter(name => !Object.hasOwn(variables, name))

  if (missing.length > 0) throw new Invalid('url', `: it names variables without a value: ${missing.join(', ')}`)
}

/** Names that lead to private addresses are refused when the webhook is sent. */
export function isAllowedUrl(text: string, allowsPrivate: boolean) {
  const url = URL.parse(text.replaceAll(/\{[A-Za-z0-9_-]{1,100}\}/g, 'x'))

  return url !== null && isOutboundUrl(url, allowsPrivate)
}
