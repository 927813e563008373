import { objectOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { InvalidBundle } from './zip.ts'

/** A file of a bundle, as listed in its `manifest.json`. */
export interface ManifestEntry {
  name: string
  kind: string
  url: string
  debugId?: string
  /** A script's reference to its source map. */
  sourceMap?: string
}

const maxUrlLength = 1000
const uuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/

export function parseManifest(bytes: Buffer | undefined): ManifestEntry[] {
  const files = objectOrUndefined(objectOrUndefined(parseJson(bytes))?.files)

  if (!files) throw new InvalidBundle('The bundle has no manifest.json that lists its files')

  return Object.entries(files).flatMap(([name, file]) => parseEntry(name, objectOrEmpty(file)) ?? [])
}

function parseJson(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

function parseEntry(name: string, file: Record<string, unknown>): ManifestEntry | undefined {
  const kind = textOrUndefined(file.type)
  const url = textOrUndefined(file.url) ?? name
  const headers = new Map(Object.entries(objectOrEmpty(file.headers)).map(([key, value]) => [key.toLowerCase(), textOrUndefined(value)]))

  if (!kind || url.length > maxUrlLength) return undefined

  return {
    name,
    kind,
    url,
    debugId: parseDebugId(headers.get('debug-id')),
    sourceMap: headers.get('sourcemap') ?? headers.get('x-sourcemap')
  }
}

/** Returns a UUID with dashes, or undefined. */
export function parseDebugId(value: unknown) {
  const id = textOrUndefined(value)?.toLowerCase()

  return id && uuid.test(id) ? id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined
}
