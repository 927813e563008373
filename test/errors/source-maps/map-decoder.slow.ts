import t from 'tap'
import { MapDecoder } from '#errors/source-maps/resolve/map-decoder.ts'
import { locateSource, source, withMappings } from './decoding.ts'

// V8 may abort the whole process when it notices the limit too late, as on a busy machine.
t.test('a map whose decoding exceeds the memory of its thread fails, and the next map is decoded', async t => {
  const decoder = new MapDecoder({ heapMb: 64, ms: 60_000 })
  const large = withMappings(900_000)
  const failure = { failure: 'source map needs too much memory' }

  t.same(await Promise.all([locateSource(decoder, large), locateSource(decoder)]), [failure, source])
  t.same(large.failure, failure, 'it is not decoded again')
})
