import { objectOrUndefined, textOrUndefined } from '../../../lib/json.ts'
import { InvalidBundle } from './zip.ts'

/** A file of a bundle, as its manifest has it. */
export interface ListedFile {
  name: string
  kind: string
  url: string
  debugId?: string
  /** Where a script says its map is. */
  sourceMap?: string
}

const longestUrl = 1000
const uuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/

/** What a bundle's `manifest.json` lists. */
export function readManifest(bytes: Buffer | undefined): ListedFile[] {
  const files = objectOrUndefined(objectOrUndefined(parse(bytes))?.files)

  if (!files) throw new InvalidBundle('The bundle has no manifest.json that lists its files')

  return Object.entries(files).flatMap(([name, given]) => readFile(name, objectOrUndefined(given) ?? {}) ?? [])
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

function readFile(name: string, given: Record<string, unknown>): ListedFile | undefined {
  const kind = textOrUndefined(given.type)
  const url = textOrUndefined(given.url) ?? name
  const headers = new Map(
    Object.entries(objectOrUndefined(given.headers) ?? {}).map(([key, value]) => [key.toLowerCase(), textOrUndefined(value)])
  )

  if (!kind || url.length > longestUrl) return undefined

  return {
    name,
    kind,
    url,
    debugId: readDebugId(headers.get('debug-id')),
    sourceMap: headers.get('sourcemap') ?? headers.get('x-sourcemap')
  }
}

/** As the database writes it, or nothing. */
export function readDebugId(given: unknown) {
  const id = textOrUndefined(given)?.toLowerCase()

  return id && uuid.test(id) ? id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined
}
