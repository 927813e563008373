import { isEmpty, isObject, type Json, textOrUndefined, valuesOf } from '#lib/json.ts'
import { normaliseExceptions, normaliseThreads } from './exceptions.ts'
import { normaliseFrames, normaliseStacktrace } from './frames.ts'
import { normaliseLevel } from './level.ts'
import { normaliseLogentry } from './message.ts'
import { joinValues, readPairs } from './pairs.ts'
import { normaliseRequest } from './request.ts'
import { normaliseTags } from './tags.ts'
import { singleLine, truncateTree } from './truncate.ts'
import { normaliseUser } from './user.ts'

const maxBreadcrumbs = 100
const maxUnknownAttributes = 500
const limits = { depth: 7, text: 8192, total: 262_144 }
const smallLimits = { ...limits, total: 32_768 }

/** Normalised together, before the others. */
const messageAttributes = new Set(['message', 'logentry', 'checksum'])

const attributes = new Map<string, (value: unknown, readFrames: typeof normaliseFrames) => unknown>([
  ['level', normaliseLevel],
  ['platform', value => singleLine(value, 64)],
  ['environment', name],
  ['release', name],
  ['dist', name],
  ['server_name', name],
  ['logger', name],
  ['transaction', name],
  ['exception', normaliseExceptions],
  ['threads', normaliseThreads],
  ['stacktrace', normaliseStacktrace],
  ['request', normaliseRequest],
  ['user', normaliseUser],
  ['tags', normaliseTags],
  ['fingerprint', normaliseFingerprint],
  ['breadcrumbs', normaliseBreadcrumbs],
  ['extra', value => (typeof value === 'object' ? truncateTree(value, limits) : truncateTree({ extra: value }, limits))],
  ['contexts', object],
  ['debug_meta', object],
  ['modules', normaliseModules],
  ['sdk', normaliseSdk]
])

/**
 * Converts an event of any SDK to the current protocol, with every attribute bounded; unknown ones stay. Everything after
 * parsing reads the result. Idempotent.
 */
export function normaliseEvent(sent: Json, readFrames = normaliseFrames): Json {
  const renamed = renameLegacy(sent)
  const event = normaliseMessage(renamed)
  let unknown = 0

  for (const key in renamed) {
    if (messageAttributes.has(key) || Object.hasOwn(event, key)) continue
    const normalise = attributes.get(key)

    if (!normalise && ++unknown > maxUnknownAttributes) continue
    const value = renamed[key] === null ? undefined : (normalise ?? other)(renamed[key], readFrames)

    if (value !== undefined && value !== '') event[key] = value
  }

  return event
}

function normaliseMessage({ message, logentry, checksum }: Json) {
  const entry = normaliseLogentry(logentry, message)
  // Old clients group by a checksum; as in Sentry, it takes precedence over a fingerprint.
  const fingerprint = normaliseFingerprint(checksum)
  const event: Json = {}

  if (entry) event.logentry = entry
  if (fingerprint) event.fingerprint = fingerprint

  return event
}

function other(value: unknown) {
  return truncateTree(value, smallLimits)
}

function object(value: unknown) {
  return isObject(value) ? truncateTree(value, limits) : undefined
}

function name(value: unknown) {
  return singleLine(value)
}

function normaliseFingerprint(value: unknown) {
  const parts = (Array.isArray(value) ? value : [value])
    .slice(0, 50)
    .map(part => (typeof part === 'boolean' ? String(part) : textOrUndefined(part)))
    .filter(part => part !== undefined)

  return parts.length > 0 ? parts.map(part => part.slice(0, 1024).toWellFormed()) : undefined
}

function normaliseBreadcrumbs(value: unknown) {
  const breadcrumbs = valuesOf(value)

  return breadcrumbs.length > 0 ? { values: breadcrumbs.slice(-maxBreadcrumbs).map(other) } : undefined
}

function normaliseModules(value: unknown) {
  const modules: Json = {}

  for (const [name, version] of readPairs(value).slice(0, 2000)) {
    const line = singleLine(name)

    if (line && line !== '__proto__') modules[line] = singleLine(joinValues(version)) ?? ''
  }

  return isEmpty(modules) ? undefined : modules
}

/** Old clients send `raven-python/6.10.0`. */
function normaliseSdk(value: unknown) {
  if (typeof value !== 'string') return isObject(value) ? truncateTree(value, smallLimits) : undefined
  const [name, version] = value.split('/', 2).map(part => singleLine(part))

  return name ? { name, ...(version && { version }) } : undefined
}

const prefix = 'sentry.interfaces.'
const currentNames = new Map([
  ['message', 'logentry'],
  ['http', 'request'],
  ['debugmeta', 'debug_meta'],
  ['breadcrumb', 'breadcrumbs']
])

/** Renames the attributes of old SDKs; a current name takes precedence over its old one. */
function renameLegacy(event: Json): Json {
  const renamed: Json = {}

  for (const key in event) {
    if (key === '__proto__') continue
    const name = key.startsWith(prefix) ? currentName(key) : key === 'culprit' ? 'transaction' : key

    if (hasValue(event[name]) ? name === key : hasValue(event[key])) renamed[name] = event[key]
  }

  return renamed
}

function hasValue(value: unknown) {
  return value !== undefined && value !== null && value !== ''
}

function currentName(key: string) {
  const name = key.slice(prefix.length).toLowerCase()

  return currentNames.get(name) ?? name
}
