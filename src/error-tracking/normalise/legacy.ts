import type { Json } from './json.ts'

const prefix = 'sentry.interfaces.'
const modern = new Map([
  ['message', 'logentry'],
  ['http', 'request'],
  ['debugmeta', 'debug_meta'],
  ['breadcrumb', 'breadcrumbs']
])

/** The event with its members called as they are today; a modern name beside its old one counts. */
export function renameLegacy(event: Json): Json {
  const renamed: Json = {}

  for (const key in event) {
    if (key === '__proto__') continue
    const name = key.startsWith(prefix) ? modernName(key) : key === 'culprit' ? 'transaction' : key

    if (isTold(event[name]) ? name === key : isTold(event[key])) renamed[name] = event[key]
  }

  return renamed
}

function isTold(value: unknown) {
  return value !== undefined && value !== null && value !== ''
}

function modernName(key: string) {
  const name = key.slice(prefix.length).toLowerCase()

  return modern.get(name) ?? name
}
