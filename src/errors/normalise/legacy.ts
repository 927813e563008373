import type { Json } from '#lib/json.ts'

const prefix = 'sentry.interfaces.'
const currentNames = new Map([
  ['message', 'logentry'],
  ['http', 'request'],
  ['debugmeta', 'debug_meta'],
  ['breadcrumb', 'breadcrumbs']
])

/** Renames the attributes of old SDKs; a current name takes precedence over its old one. */
export function renameLegacy(event: Json): Json {
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
