import { compileFilter } from '#extras/webhooks/branch-filter.ts'
import { isAllowedUrl } from '#extras/webhooks/check-webhook.ts'
import { isRefusedHeader } from '#extras/webhooks/custom-headers.ts'
import { variablesIn } from '#extras/webhooks/fill-url.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import type { Problems } from '#pages/layout/attempt.ts'
import { isPrintable } from '#platform/network/connection-headers.ts'
import type { Pairs } from './pairs.ts'
import type { SentWebhook } from './webhook-form.ts'

interface Context {
  /** As it is stored. */
  webhook?: Webhook | undefined
  allowsPrivate: boolean
}

const maxPairs = 20
const maxValue = 2048

/** Everything else that is wrong with the form, by field, before anything is changed. */
export function findProblems({ fields, variables, headers }: SentWebhook, { webhook, allowsPrivate }: Context): Problems {
  const { url, token, push_events_branch_filter: filter, branch_filter_strategy: strategy, custom_webhook_template: template } = fields.body
  const reasons = {
    url:
      !isAllowedUrl(url, allowsPrivate) &&
      `Enter an address such as https://example.com/hook${allowsPrivate ? '.' : ', outside of private networks.'}`,
    url_variables: pairProblem(variables) ?? missingVariables(url, variables, webhook),
    token: token && !isPrintable(token) && 'Use ASCII letters, digits and symbols.',
    push_events_branch_filter:
      strategy === 'regex' &&
      filter &&
      !compileFilter(filter) &&
      'Enter a regular expression that RE2 supports, with at most 1000 characters and few repetitions.',
    custom_headers: pairProblem(headers) ?? headerProblem(headers),
    custom_webhook_template: template && !isJsonOnceFilled(template) && 'Enter JSON. Fields such as {{object_kind}} are filled in.'
  }

  return Object.fromEntries(Object.entries(reasons).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

function pairProblem({ stored, added }: Pairs) {
  const keys = [...stored.filter(({ isRemoved }) => !isRemoved), ...added].map(({ key }) => key)
  const wrong = added.find(({ key }) => !/^[A-Za-z0-9_-]{1,100}$/.test(key))
  const empty = added.find(({ value }) => value === '')

  if (wrong) return `“${wrong.key}” is not a valid name: use letters, digits, - and _.`
  if (empty) return `Enter a value for ${empty.key}.`
  if (new Set(keys.map(key => key.toLowerCase())).size < keys.length) return 'Use each name once.'
  if (keys.length > maxPairs) return `Use at most ${maxPairs}.`

  return [...stored, ...added].some(({ value }) => value.length > maxValue) ? `Enter values of at most ${maxValue} characters.` : undefined
}

function headerProblem({ stored, added }: Pairs) {
  const refused = added.find(({ key }) => isRefusedHeader(key))

  if (refused) return `${refused.key} cannot be set: it is reserved for the connection, or for Tocsin.`

  return [...stored, ...added].every(({ value }) => isPrintable(value)) ? undefined : 'Use ASCII letters, digits and symbols in values.'
}

/** A new URL is not told the stored values. */
function missingVariables(url: string, { stored, added }: Pairs, webhook: Webhook | undefined) {
  const isSame = url === webhook?.url
  const given = [...stored.filter(({ value, isRemoved }) => !isRemoved && (isSame || value)), ...added].map(({ key }) => key)
  const missing = variablesIn(url).filter(name => !given.includes(name))

  return missing.length > 0 ? `Enter a value for ${missing.join(', ')}: the URL uses it.` : undefined
}

function isJsonOnceFilled(template: string) {
  try {
    JSON.parse(template.replaceAll(/\{\{\s{0,20}[\w.]{1,200}\s{0,20}\}\}/g, '1'))

    return true
  } catch {
    return false
  }
}
