import { compileFilter } from '#extras/webhooks/branch-filter.ts'
import { isAllowedUrl, isPrintable } from '#extras/webhooks/check-webhook.ts'
import { isRefusedHeader } from '#extras/webhooks/custom-headers.ts'
import { variablesIn } from '#extras/webhooks/fill-url.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import { newBodyOf } from '#extras/webhooks/webhook-schemas.ts'
import { checkBody } from '#pages/layout/check-body.ts'
import { catchValidation, type Problems } from '#pages/projects/page-context.ts'
import type { Place } from '#projects/place.ts'
import type { Pairs } from './pairs.ts'
import { toBody, type WebhookForm } from './webhook-form.ts'

interface Context {
  place: Place
  /** As it is stored. */
  webhook?: Webhook | undefined
  allowsPrivate: boolean
}

const maxPairs = 20
const maxValue = 2048

/** Everything that is wrong with the form, by field, before anything is changed. */
export async function findProblems(form: WebhookForm, { place, webhook, allowsPrivate }: Context): Promise<Problems | undefined> {
  // The schema knows no pairs that keep a stored value; `pairProblem` checks them.
  const body = { ...toBody(form, place), url_variables: [], custom_headers: [] }
  const { problems } = await catchValidation(() => checkBody(newBodyOf(place), body))
  const reasons = {
    url:
      !isAllowedUrl(form.url, allowsPrivate) &&
      `Enter an address such as https://example.com/hook${allowsPrivate ? '.' : ', outside of private networks.'}`,
    url_variables: pairProblem(form.variables) ?? missingVariables(form, webhook),
    token: !isPrintable(form.token) && 'Use the letters, digits and signs of ASCII.',
    signing_token: problems?.signing_token && 'Enter whsec_ and a key in Base64, of 24 bytes or more.',
    push_events_branch_filter:
      form.strategy === 'regex' &&
      form.filter &&
      !compileFilter(form.filter) &&
      'Enter a regular expression that RE2 understands, of at most 1000 characters and few repetitions.',
    custom_headers: pairProblem(form.headers) ?? headerProblem(form.headers),
    custom_webhook_template: !isJsonOnceFilled(form.template) && 'Enter JSON. Fields such as {{object_kind}} are filled in.'
  }
  const found = Object.entries({ ...problems, ...Object.fromEntries(Object.entries(reasons).filter(([, text]) => text)) })

  return found.length > 0 ? (Object.fromEntries(found) as Problems) : undefined
}

function pairProblem({ stored, added }: Pairs) {
  const keys = [...stored.filter(({ isRemoved }) => !isRemoved), ...added].map(({ key }) => key)
  const wrong = added.find(({ key }) => !/^[A-Za-z0-9_-]{1,100}$/.test(key))
  const empty = added.find(({ value }) => value === '')

  if (wrong) return `“${wrong.key}” is no name: use letters, digits, - and _.`
  if (empty) return `Enter a value for ${empty.key}.`
  if (new Set(keys.map(key => key.toLowerCase())).size < keys.length) return 'Use each name once.'
  if (keys.length > maxPairs) return `Use at most ${maxPairs}.`

  return [...stored, ...added].some(({ value }) => value.length > maxValue) ? `Enter values of at most ${maxValue} characters.` : undefined
}

function headerProblem({ stored, added }: Pairs) {
  const refused = added.find(({ key }) => isRefusedHeader(key))

  if (refused) return `${refused.key} cannot be set: it belongs to the connection, or to this program.`

  return [...stored, ...added].every(({ value }) => isPrintable(value))
    ? undefined
    : 'Use the letters, digits and signs of ASCII in values.'
}

/** A new URL is not told the stored values. */
function missingVariables({ url, variables: { stored, added } }: WebhookForm, webhook: Webhook | undefined) {
  const isSame = url === webhook?.url
  const given = [...stored.filter(({ value, isRemoved }) => !isRemoved && (isSame || value)), ...added].map(({ key }) => key)
  const missing = variablesIn(url).filter(name => !given.includes(name))

  return missing.length > 0 ? `Enter a value for ${missing.join(', ')}: the URL names it.` : undefined
}

function isJsonOnceFilled(template: string) {
  if (template === '') return true
  try {
    JSON.parse(template.replaceAll(/\{\{\s{0,20}[\w.]{1,200}\s{0,20}\}\}/g, '1'))

    return true
  } catch {
    return false
  }
}
