import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { MapDecoder, placeKey, StoredMap } from '../../../src/error-tracking/source-maps/resolve/map-decoder.ts'
import { map, script } from '../fixtures/bundle.ts'

const place = { line: 3, column: script.split('\n')[2]!.indexOf('throw') + 1, functionName: '' }
const stored = (json: string) => new StoredMap({ map: zstdCompressSync(json), script: zstdCompressSync(script) })
const withMappings = (count: number) =>
  stored(JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA,'.repeat(count) }))
const position = async (decoder: MapDecoder) => {
  const located = await decoder.locate(stored(map), [place])

  return located instanceof Map ? located.get(placeKey(place))?.source : located
}

t.test('a map whose decoding exceeds the memory of its thread fails, and the next map is decoded', async t => {
  const decoder = new MapDecoder({ heapMb: 64, ms: 60_000 })
  const large = withMappings(900_000)
  const failure = { failure: 'source map needs too much memory' }

  t.same(await Promise.all([decoder.locate(large, [place]), position(decoder)]), [failure, '../src/cart.ts'])
  t.same(large.failure, failure, 'it is not decoded again')
})

t.test('a map whose decoding exceeds the time limit fails', async t => {
  t.same(await new MapDecoder({ heapMb: 256, ms: 1 }).locate(withMappings(900_000), [place]), {
    failure: 'source map takes too long to decode'
  })
})

t.test('a map with more than a million mappings is refused before they are decoded', async t => {
  const decoder = new MapDecoder({ heapMb: 128, ms: 60_000 })
  const refused = { failure: 'source map too large' }
  const { texts } = withMappings(4_000_000)
  const section = { offset: { line: 0, column: 0 }, map: { version: 3, sources: ['a.js'], names: [], mappings: ';'.repeat(600_000) } }
  const nested = { ...section, map: JSON.stringify(section.map) }

  t.same(await decoder.locate(new StoredMap(texts), [place]), refused)
  t.same(await decoder.locate(stored(JSON.stringify({ version: 3, sections: [section, nested] })), [place]), refused)
  t.equal(await position(decoder), '../src/cart.ts')
})

t.test('a map that the thread has evicted is sent again', async t => {
  const decoder = new MapDecoder()
  const [first, second] = [stored(map), withMappings(700_000)]
  const other = { ...place, line: 2 }

  t.ok((await decoder.locate(first, [place])) instanceof Map)
  t.ok((await decoder.locate(second, [place])) instanceof Map)
  t.ok((await decoder.locate(first, [place, other])) instanceof Map)
})
