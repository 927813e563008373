import { type ManifestEntry, parseManifest } from './manifest.ts'
import { type Archive, openZip } from './zip.ts'

/** A source map with its script, under the script's URL. */
export interface BundledMap {
  url: string
  debugId?: string
  map: Buffer
  script?: Buffer
}

const maxFiles = 20_000
const maxFileBytes = 64 << 20
/** Scripts and source maps compress to a tenth at best. */
const maxInflation = 10

/** Reads the source maps of a bundle one at a time, to save memory. */
export async function* readSourceMaps(bundle: Buffer, maxBundleBytes: number): AsyncGenerator<BundledMap> {
  const archive = await openZip(bundle, { entries: maxFiles, file: maxFileBytes, total: maxInflation * maxBundleBytes })
  const files = parseManifest(await archive.read('manifest.json'))
  const maps = indexMaps(files)
  const used = new Set<ManifestEntry>()

  for (const file of files.filter(({ kind }) => kind === 'minified_source')) {
    const script = await archive.read(file.name)
    const reference = file.sourceMap ?? (script && readReference(script))
    const entry = maps.get(resolveReference(reference, file.url)) ?? (file.debugId ? maps.get(file.debugId) : undefined)
    const map = entry ? await archive.read(entry.name) : inlineMap(reference)

    if (entry) used.add(entry)
    if (map) yield { url: file.url, debugId: file.debugId ?? entry?.debugId, map, script }
  }

  yield* readMapsWithoutScript(
    archive,
    files.filter(file => file.kind === 'source_map' && !used.has(file))
  )
}

async function* readMapsWithoutScript(archive: Archive, files: ManifestEntry[]): AsyncGenerator<BundledMap> {
  for (const { name, url, debugId } of files) {
    const map = debugId && (await archive.read(name))

    if (map) yield { url: url.replace(/\.map$/, ''), debugId, map }
  }
}

/** Source maps by URL and by debug id. */
function indexMaps(files: ManifestEntry[]) {
  const maps = files.filter(({ kind }) => kind === 'source_map')

  return new Map(maps.flatMap(file => [[file.url, file] as const, ...(file.debugId ? [[file.debugId, file] as const] : [])]))
}

/** Resolves a reference against the script's URL, which starts with `~` for any origin. */
function resolveReference(reference: string | undefined, script: string) {
  if (!reference || reference.startsWith('~') || reference.startsWith('data:')) return reference ?? ''
  const base = script.startsWith('~') ? `any://origin${script.slice(1)}` : script.includes('://') ? script : `any://origin/${script}`
  const url = URL.parse(reference, base)?.href ?? ''

  return decode(url).replace(/^any:\/\/origin\//, script.startsWith('~') ? '~/' : '')
}

function decode(url: string) {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}

/** The `sourceMappingURL` comment at the end of a script. */
function readReference(script: Buffer) {
  const text = script.toString('utf8')

  return /^\/\/[#@]\s*sourceMappingURL=(\S+)/.exec(text.slice(Math.max(0, text.lastIndexOf('//# sourceMappingURL='))))?.[1]
}

function inlineMap(reference = '') {
  const [, encoded] = /^data:application\/json(?:;charset=[\w-]+)?;base64,(.+)$/s.exec(reference) ?? []

  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
}
