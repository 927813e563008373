import { readExceptions, readThreads } from './exceptions.ts'
import { readStacktrace } from './frames.ts'
import { asName, asObject, asText, asValues, isEmpty, type Json } from './json.ts'
import { renameLegacy } from './legacy.ts'
import { readLevel } from './level.ts'
import { readLogentry } from './message.ts'
import { joinValues, readPairs } from './pairs.ts'
import { readRequest } from './request.ts'
import { readTags } from './tags.ts'
import { truncateText, truncateTree } from './truncate.ts'
import { readUser } from './user.ts'

const mostBreadcrumbs = 100
/** Members that the protocol does not know. */
const mostOthers = 500
const usual = { depth: 7, text: 8192, total: 262_144 }
const small = { ...usual, total: 32_768 }

/** What is said in several members. */
const readAbove = new Set(['message', 'logentry', 'checksum'])

const members = new Map<string, (given: unknown) => unknown>([
  ['level', readLevel],
  ['platform', given => asName(given, 64)],
  ['environment', asOneName],
  ['release', asOneName],
  ['dist', asOneName],
  ['server_name', asOneName],
  ['logger', asOneName],
  ['transaction', asOneName],
  ['exception', readExceptions],
  ['threads', readThreads],
  ['stacktrace', readStacktrace],
  ['request', readRequest],
  ['user', readUser],
  ['tags', readTags],
  ['fingerprint', readFingerprint],
  ['breadcrumbs', readBreadcrumbs],
  ['extra', given => (typeof given === 'object' ? truncateTree(given, usual) : truncateTree({ extra: given }, usual))],
  ['contexts', given => (asObject(given) ? truncateTree(given, usual) : undefined)],
  ['debug_meta', given => (asObject(given) ? truncateTree(given, usual) : undefined)],
  ['modules', readModules],
  ['sdk', readSdk]
])

/**
 * The event as an SDK of today would send it, whatever shape it came in, with everything in it bounded. An event that
 * went through this once stays as it is. What the protocol does not know is kept, and bounded as well. Of all that,
 * only the members that are `wanted`.
 */
export function normaliseEvent(given: Json, wanted?: Set<string>): Json {
  const event: Json = {}
  const renamed = renameLegacy(given)
  const { message, logentry, checksum } = renamed
  const entry = wanted ? undefined : readLogentry(logentry, message)
  // What clients of old sent to group by.
  const fingerprint = wanted ? undefined : readFingerprint(checksum)

  if (entry) event.logentry = entry
  if (fingerprint) event.fingerprint = fingerprint
  let unknown = 0

  for (const key in renamed) {
    if (wanted ? !wanted.has(key) : readAbove.has(key)) continue
    const read = members.get(key)

    if (!read && ++unknown > mostOthers) continue
    const value = renamed[key] === null ? undefined : (read ?? readOther)(renamed[key])

    if (value !== undefined && value !== '') event[key] = value
  }

  return event
}

function readOther(given: unknown) {
  return truncateTree(given, small)
}

function asOneName(given: unknown) {
  return asName(given)
}

function readFingerprint(given: unknown) {
  const parts = (Array.isArray(given) ? given : [given]).slice(0, 50).map(part => (typeof part === 'boolean' ? String(part) : asText(part)))
  const known = parts.filter(part => part !== undefined).map(part => truncateText(part, 1024))

  return known.length > 0 ? known : undefined
}

function readBreadcrumbs(given: unknown) {
  const values = asValues(given)

  return values.length > 0 ? { values: values.slice(-mostBreadcrumbs).map(readOther) } : undefined
}

function readModules(given: unknown) {
  const modules: Json = {}

  for (const [name, version] of readPairs(given).slice(0, 2000)) {
    const known = asName(name)

    if (known && known !== '__proto__') modules[known] = asName(joinValues(version)) ?? ''
  }

  return isEmpty(modules) ? undefined : modules
}

/** `raven-python/6.10.0` is how it was said once. */
function readSdk(given: unknown) {
  if (typeof given !== 'string') return asObject(given) && truncateTree(given, small)
  const [name, version] = given.split('/', 2).map(part => asName(part))

  return name ? { name, ...(version && { version }) } : undefined
}
