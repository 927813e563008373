import { memoize } from '../../lib/memoize.ts'
import { parseUserAgent, type UserAgent } from '../../lib/user-agent.ts'
import { asName, asObject, type Json } from './json.ts'
import { joinValues, readPairs } from './pairs.ts'
import { headerOf } from './request.ts'

const mostTags = 50
const readUserAgent = memoize(parseUserAgent, { max: 2000, maxLength: 512 })

/** Tags by name, each name and value one trimmed line of at most 200 characters. */
export function readTags(given: unknown): Record<string, string> | undefined {
  const tags: Record<string, string> = {}
  let count = 0

  for (const [name, value] of readPairs(given, ',')) {
    const key = asName(name)
    const line = asName(joinValues(value))

    if (!key || !line || key === '__proto__') continue
    if (!Object.hasOwn(tags, key) && ++count > mostTags) break
    tags[key] = line
  }

  return count > 0 ? tags : undefined
}

/** The tags of a modern event, with those that its other members tell: what people filter and count by. */
export function allTags(event: Json) {
  const tags: Record<string, string> = {}
  const own = event.tags as Record<string, string> | undefined

  // What the protocol has a member for is told by that, whatever a tag of this name says.
  put(tags, 'level', event.level ?? 'error')
  for (const name of ['environment', 'release', 'transaction', 'server_name', 'dist', 'logger']) put(tags, name, event[name])
  for (const name in own) put(tags, name, own[name])
  putDerived(tags, event)

  return tags
}

function putDerived(tags: Record<string, string>, event: Json) {
  const request = asObject(event.request)
  const contexts = asObject(event.contexts)
  const header = contexts?.browser ? undefined : headerOf(request, 'user-agent')
  const agent: UserAgent = header ? readUserAgent(header) : {}

  putVersioned(tags, 'browser', contexts?.browser ?? agent.browser)
  putVersioned(tags, 'os', contexts?.client_os ?? agent.os ?? contexts?.os)
  putVersioned(tags, 'runtime', contexts?.runtime)
  putDevice(tags, asObject(contexts?.device), agent.device)
  if (typeof request?.url === 'string') put(tags, 'url', request.url.split(/[?#]/, 1)[0])
}

/** `browser: Firefox 141.0` to look at, `browser.name: Firefox` to count by. */
function putVersioned(tags: Record<string, string>, tag: string, given: unknown) {
  const { name, version } = asObject(given) ?? {}
  const known = asName(name)

  put(tags, tag, known && [known, asName(version)].filter(Boolean).join(' '))
  put(tags, `${tag}.name`, known)
}

function putDevice(tags: Record<string, string>, device: Json | undefined, fromAgent: string | undefined) {
  put(tags, 'device', asName(device?.model) ?? asName(device?.name) ?? fromAgent)
  put(tags, 'device.family', device?.family)
}

function put(tags: Record<string, string>, tag: string, given: unknown) {
  const value = asName(given)

  if (value && !Object.hasOwn(tags, tag) && Object.keys(tags).length < mostTags) tags[tag] = value
}
