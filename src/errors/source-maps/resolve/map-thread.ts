import { zstdDecompressSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { answerRequests } from '#platform/process/answer-requests.ts'
import type { MapRequest, MapResponse, StoredTexts } from './map-decoder.ts'
import { ScriptMap, SourceMapTooLarge } from './script-map.ts'

const maxCacheBytes = 64 << 20
const maxTextBytes = 32 << 20

// A map larger than the cache evicts all others, and stays: decoding it for each event would cost far more.
const maps = new LRUCache<string, ScriptMap>({ maxSize: maxCacheBytes, sizeCalculation: ({ bytes }) => Math.min(bytes, maxCacheBytes) })

answerRequests(respond)

function respond({ mapId, texts, positions }: MapRequest): MapResponse {
  try {
    const map = maps.get(mapId) ?? (texts && decode(mapId, texts))

    return map ? { positions: positions.map(position => map.positionOf(position)) } : { isMissing: true }
  } catch (error) {
    const isTooLarge = error instanceof SourceMapTooLarge || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'

    return { failure: isTooLarge ? 'source map too large' : 'source map is invalid' }
  }
}

function decode(mapId: string, { map, script }: StoredTexts) {
  const decoded = new ScriptMap(inflate(map), script ? inflate(script) : '')

  maps.set(mapId, decoded)

  return decoded
}

function inflate(stored: Uint8Array) {
  return zstdDecompressSync(stored, { maxOutputLength: maxTextBytes }).toString('utf8')
}
