import { zstdCompressSync } from 'node:zlib'
import { type MapDecoder, StoredMap } from '#errors/source-maps/resolve/map-decoder.ts'
import { map, script } from '../fixtures/bundle.ts'

/** A position in the script of the fixture, which is in `source`. */
export const generated = { line: 3, column: script.split('\n')[2]!.indexOf('throw') + 1, functionName: '' }
export const source = '../src/cart.ts'

export function stored(json: string) {
  return new StoredMap({ map: zstdCompressSync(json), script: zstdCompressSync(script) })
}

export function withMappings(count: number) {
  return stored(JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA,'.repeat(count) }))
}

export async function locateSource(decoder: MapDecoder, storedMap = stored(map), position = generated) {
  const located = await decoder.locate(storedMap, [position])

  return 'failure' in located ? located : located.positionOf(position)?.source
}
