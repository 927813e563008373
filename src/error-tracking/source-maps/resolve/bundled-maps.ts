import { type ListedFile, readManifest } from '../upload/manifest.ts'
import { type Archive, openZip } from '../upload/zip.ts'

/** A map and the script it is of, under the address of the script. */
export interface BundledMap {
  url: string
  debugId?: string
  map: Buffer
  script?: Buffer
}

const mostFiles = 20_000
const largestFile = 64 << 20
/** Scripts and maps shrink to a tenth at best. */
const inflation = 10

/** Every map of a bundle, one at a time, each with its script where there is one. */
export async function* readMaps(bundle: Buffer, mostBytes: number): AsyncGenerator<BundledMap> {
  const archive = await openZip(bundle, { entries: mostFiles, file: largestFile, total: inflation * mostBytes })
  const files = readManifest(await archive.read('manifest.json'))
  const maps = indexMaps(files)
  const used = new Set<ListedFile>()

  for (const file of files.filter(({ kind }) => kind === 'minified_source')) {
    const script = await archive.read(file.name)
    const reference = file.sourceMap ?? (script && lastReference(script))
    const listed = maps.get(addressOf(reference, file.url)) ?? (file.debugId ? maps.get(file.debugId) : undefined)
    const map = listed ? await archive.read(listed.name) : inlineMap(reference)

    if (listed) used.add(listed)
    if (map) yield { url: file.url, debugId: file.debugId ?? listed?.debugId, map, script }
  }

  yield* readLonely(
    archive,
    files.filter(file => file.kind === 'source_map' && !used.has(file))
  )
}

/** Maps whose script was not uploaded are found by their debug id. */
async function* readLonely(archive: Archive, files: ListedFile[]): AsyncGenerator<BundledMap> {
  for (const { name, url, debugId } of files) {
    const map = debugId && (await archive.read(name))

    if (map) yield { url: url.replace(/\.map$/, ''), debugId, map }
  }
}

function indexMaps(files: ListedFile[]) {
  const maps = files.filter(({ kind }) => kind === 'source_map')

  return new Map(maps.flatMap(file => [[file.url, file] as const, ...(file.debugId ? [[file.debugId, file] as const] : [])]))
}

/** A reference as seen from the script; addresses begin with `~` where any origin will do. */
function addressOf(reference: string | undefined, from: string) {
  if (!reference || reference.startsWith('~') || reference.startsWith('data:')) return reference ?? ''
  const base = from.startsWith('~') ? `any://origin${from.slice(1)}` : from.includes('://') ? from : `any://origin/${from}`
  const address = URL.parse(reference, base)?.href ?? ''

  return decode(address).replace(/^any:\/\/origin\//, from.startsWith('~') ? '~/' : '')
}

function decode(address: string) {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** What the comment in the last lines of a script says. */
function lastReference(script: Buffer) {
  const text = script.toString('utf8')

  return /^\/\/[#@]\s*sourceMappingURL=(\S+)/.exec(text.slice(Math.max(0, text.lastIndexOf('//# sourceMappingURL='))))?.[1]
}

function inlineMap(reference = '') {
  const [, encoded] = /^data:application\/json(?:;charset=[\w-]+)?;base64,(.+)$/s.exec(reference) ?? []

  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
}
