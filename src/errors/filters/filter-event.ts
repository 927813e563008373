import { matchesGlob } from '#lib/glob.ts'
import { type Json, objectOrUndefined, textOrEmpty } from '#lib/json.ts'
import { type GroupingInput, readGroupingInput } from '../grouping/grouping-input.ts'
import { headerOf } from '../normalise/request.ts'
import { isOfBrowserExtension } from './browser-extensions.ts'

/** The inbound filters of a project. Patterns are in lower case. */
export interface InboundFilters {
  browserExtensions: boolean
  webCrawlers: boolean
  localhost: boolean
  releases: readonly string[]
  messages: readonly string[]
}

/** Statistics count dropped events by these reasons. */
type FilterReason = `filtered_${'browser_extension' | 'web_crawler' | 'localhost' | 'release' | 'message'}`

/** The same crawlers as in Sentry. Cubot makes phones. */
const crawler =
  /Mediapartners-Google|AdsBot-Google|Googlebot|FeedFetcher-Google|bingbot|BingPreview|Baiduspider|Slurp|Sogou|facebookexternalhit|facebot|ia_archiver|(?<!cu)bots?[/\s);]|spider[/\s);]|Slack|Calypso AppCrawler|pingdom|lyticsbot|AWS Security Scanner|HubSpot Crawler/i
/** They send requests for their users. */
const userAgentOfUsers = /Slackbot\s1\.\d|SkypeUriPreview/i

/** The reason to drop a normalised event; undefined when it passes all filters. */
export function findFilter(event: Json, filters: InboundFilters): FilterReason | undefined {
  const input = readGroupingInput(event)

  if (filters.browserExtensions && isOfBrowserExtension(input)) return 'filtered_browser_extension'
  if (filters.webCrawlers && isOfCrawler(event)) return 'filtered_web_crawler'
  if (filters.localhost && isOfLocalhost(event)) return 'filtered_localhost'
  if (matchesAny(filters.releases, [textOrEmpty(event.release)])) return 'filtered_release'

  return matchesAny(filters.messages, messagesOf(input)) ? 'filtered_message' : undefined
}

export function isFilterReason(reason: string | undefined) {
  return reason?.startsWith('filtered_')
}

function isOfCrawler(event: Json) {
  const userAgent = headerOf(objectOrUndefined(event.request), 'user-agent') ?? ''

  return crawler.test(userAgent) && !userAgentOfUsers.test(userAgent)
}

function isOfLocalhost({ user, request }: Json) {
  const address = textOrEmpty(objectOrUndefined(user)?.ip_address)
  const url = URL.parse(textOrEmpty(objectOrUndefined(request)?.url))

  return isLocal(address) || isLocal(url?.hostname ?? '') || url?.protocol === 'file:'
}

function isLocal(host: string) {
  return /^(127\.0\.0\.1|\[?::1\]?|localhost)$/.test(host) || host.endsWith('.localhost')
}

/** The message, and `Type: value` of each exception. */
function messagesOf({ text, exceptions }: GroupingInput) {
  return [text, ...exceptions.map(({ type, value }) => (type && value ? `${type}: ${value}` : type || value))]
}

function matchesAny(patterns: readonly string[], texts: string[]) {
  if (patterns.length === 0) return false
  const candidates = texts.filter(Boolean).map(text => text.toLowerCase())

  return candidates.some(text => patterns.some(pattern => matchesGlob(pattern, text)))
}
