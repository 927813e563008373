import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ThreadClient, ThreadFailure } from '#platform/process/thread-client.ts'
import type { Located, MapFailure } from './resolve-frames.ts'
import type { GeneratedPosition, OriginalPosition } from './script-map.ts'

/** A source map and its script, compressed with zstd. */
export interface StoredTexts {
  map: Uint8Array
  script?: Uint8Array
}

export interface MapRequest {
  mapId: string
  /** Sent when the thread does not have the map. */
  texts?: StoredTexts
  positions: GeneratedPosition[]
}

export type MapResponse = { positions: (OriginalPosition | undefined)[] } | { isMissing: true } | MapFailure

const maxPositions = 2000

export class StoredMap {
  readonly id = randomUUID()
  readonly texts: StoredTexts
  /** Cached, so that a map that crashed the thread is not decoded again for each event. */
  failure?: MapFailure

  constructor(texts: StoredTexts) {
    this.texts = texts
  }

  get bytes() {
    return this.texts.map.length + (this.texts.script?.length ?? 0)
  }
}

/**
 * Decodes source maps in a thread with limits on heap and time, so that a hostile map cannot block the worker's event loop
 * or exhaust its memory. Maps are decoded one at a time, so that a crash identifies its map.
 */
export class MapDecoder {
  #thread: ThreadClient<MapRequest, MapResponse>
  #last: Promise<unknown> = Promise.resolve()
  #positions = new LRUCache<string, { position?: OriginalPosition }>({ max: maxPositions })

  constructor(limits = { heapMb: 256, ms: 10_000 }) {
    this.#thread = new ThreadClient(new URL('./map-thread.ts', import.meta.url), limits)
  }

  async locate(map: StoredMap, positions: GeneratedPosition[]): Promise<Located> {
    if (map.failure) return map.failure
    const byKey = new Map(positions.map(position => [positionKey(position), position]))
    const located = new Map([...byKey.keys()].map(key => [key, this.#positions.get(`${map.id} ${key}`)]))
    const missing = [...byKey].filter(([key]) => !located.get(key))
    const response = await this.#decodeInTurn(
      map,
      missing.map(([, position]) => position)
    )

    if ('failure' in response) return response
    for (const [n, [key]] of missing.entries()) {
      const entry = { position: response.positions[n] }

      located.set(key, entry)
      this.#positions.set(`${map.id} ${key}`, entry)
    }

    return { positionOf: position => located.get(positionKey(position))?.position }
  }

  async #decodeInTurn(map: StoredMap, positions: GeneratedPosition[]) {
    if (positions.length === 0) return { positions: [] }
    const turn = this.#last.then(() => this.#decode(map, positions))

    this.#last = turn.catch(() => {})

    return turn
  }

  async #decode(map: StoredMap, positions: GeneratedPosition[]): Promise<Exclude<MapResponse, { isMissing: true }>> {
    if (map.failure) return map.failure
    const first = await this.#ask({ mapId: map.id, positions })
    const response = 'isMissing' in first ? await this.#ask({ mapId: map.id, texts: map.texts, positions }) : first

    if ('positions' in response) return response
    map.failure = 'failure' in response ? response : { failure: 'source map is invalid' }

    return map.failure
  }

  async #ask(request: MapRequest): Promise<MapResponse> {
    try {
      return await this.#thread.ask(request)
    } catch (error) {
      if (error instanceof ThreadFailure && error.reason !== 'busy') return { failure: failures[error.reason] }
      throw error
    }
  }
}

const failures = { time: 'source map takes too long to decode', memory: 'source map needs too much memory' }

function positionKey({ line, column, functionName }: GeneratedPosition) {
  return `${line}:${column}:${functionName}`
}
