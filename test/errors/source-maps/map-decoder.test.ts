import t from 'tap'
import { MapDecoder, StoredMap } from '#errors/source-maps/resolve/map-decoder.ts'
import { map } from '../fixtures/bundle.ts'
import { generated, locateSource, source, stored, withMappings } from './decoding.ts'

t.test('a map whose decoding exceeds the time limit fails', async t => {
  t.same(await locateSource(new MapDecoder({ heapMb: 256, ms: 1 }), withMappings(900_000)), {
    failure: 'source map takes too long to decode'
  })
})

t.test('a map with more than a million mappings is refused before they are decoded', async t => {
  const decoder = new MapDecoder({ heapMb: 128, ms: 60_000 })
  const failure = { failure: 'source map too large' }
  const { texts } = withMappings(4_000_000)
  const section = { offset: { line: 0, column: 0 }, map: { version: 3, sources: ['a.js'], names: [], mappings: ';'.repeat(600_000) } }
  const nested = { ...section, map: JSON.stringify(section.map) }

  t.same(await locateSource(decoder, new StoredMap(texts)), failure)
  t.same(await locateSource(decoder, stored(JSON.stringify({ version: 3, sections: [section, nested] }))), failure)
  t.equal(await locateSource(decoder), source)
})

t.test('a map that the thread has evicted is sent again', async t => {
  const decoder = new MapDecoder()
  const first = stored(map)

  t.equal(await locateSource(decoder, first), source)
  t.equal(await locateSource(decoder, withMappings(700_000)), undefined)
  // Another column: positions that were located are cached.
  t.equal(await locateSource(decoder, first, { ...generated, column: generated.column + 1 }), source)
})
