import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { MapDecoder, StoredMap } from '../../../src/error-tracking/source-maps/resolve/map-decoder.ts'
import { map, script } from '../fixtures/bundle.ts'

const generated = { line: 3, column: script.split('\n')[2]!.indexOf('throw') + 1, functionName: '' }
const source = '../src/cart.ts'
const stored = (json: string) => new StoredMap({ map: zstdCompressSync(json), script: zstdCompressSync(script) })
const withMappings = (count: number) =>
  stored(JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA,'.repeat(count) }))
const locateSource = async (decoder: MapDecoder, storedMap = stored(map), position = generated) => {
  const located = await decoder.locate(storedMap, [position])

  return 'failure' in located ? located : located.positionOf(position)?.source
}

// V8 may abort the whole process when it notices the limit too late, as on a busy machine.
t.test('a map whose decoding exceeds the memory of its thread fails, and the next map is decoded', async t => {
  const decoder = new MapDecoder({ heapMb: 64, ms: 60_000 })
  const large = withMappings(900_000)
  const failure = { failure: 'source map needs too much memory' }

  t.same(await Promise.all([locateSource(decoder, large), locateSource(decoder)]), [failure, source])
  t.same(large.failure, failure, 'it is not decoded again')
})
