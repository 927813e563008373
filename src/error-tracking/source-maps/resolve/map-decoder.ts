import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { MapFailure, Place } from './resolve-frames.ts'
import type { Position } from './script-map.ts'

/** A source map and its script as they are stored: compressed with zstd. */
export interface StoredTexts {
  map: Uint8Array
  script?: Uint8Array
}

export interface MapRequest {
  mapId: number
  /** Only sent when the thread does not have the map. */
  texts?: StoredTexts
  places: Place[]
}

export type MapAnswer = { positions: (Position | undefined)[] } | { isUnknown: true } | MapFailure

interface DecoderLimits {
  heapMb: number
  ms: number
}

const maxPositions = 2000
let lastId = 0

/** A stored source map that a decoder can be asked about. */
export class StoredMap {
  readonly id = ++lastId
  readonly texts: StoredTexts
  /** Why it cannot be decoded; kept, so that a map that ended the thread is not tried for each event. */
  failure?: MapFailure

  constructor(texts: StoredTexts) {
    this.texts = texts
  }

  get bytes() {
    return this.texts.map.length + (this.texts.script?.length ?? 0)
  }
}

/**
 * Decodes source maps in a thread with a heap and a time limit of its own: a map costs its project its resolution, and
 * never the worker its event loop or its memory. One map is decoded at a time, so that a thread that ends names its culprit.
 */
export class MapDecoder {
  #limits: DecoderLimits
  #thread?: Worker
  #last: Promise<unknown> = Promise.resolve()
  #positions = new LRUCache<string, { position?: Position }>({ max: maxPositions })

  constructor(limits: DecoderLimits = { heapMb: 256, ms: 10_000 }) {
    this.#limits = limits
  }

  /** The original position of each place, by `placeKey`. */
  async locate(map: StoredMap, places: Place[]): Promise<Map<string, Position | undefined> | MapFailure> {
    if (map.failure) return map.failure
    const found = new Map(places.map(place => [placeKey(place), { place, known: this.#positions.get(cacheKey(map, place)) }]))
    const missing = [...found.values()].flatMap(({ place, known }) => (known ? [] : [place]))
    const answer = missing.length > 0 ? await this.#takeTurn(() => this.#ask(map, missing)) : { positions: [] }

    if ('failure' in answer) return answer
    for (const [n, place] of missing.entries()) {
      const known = { position: answer.positions[n] }

      found.set(placeKey(place), { place, known })
      this.#positions.set(cacheKey(map, place), known)
    }

    return new Map([...found].map(([key, { known }]) => [key, known?.position]))
  }

  #takeTurn<Result>(run: () => Promise<Result>) {
    const turn = this.#last.then(run)

    this.#last = turn.catch(() => {})

    return turn
  }

  async #ask(map: StoredMap, places: Place[]): Promise<Exclude<MapAnswer, { isUnknown: true }>> {
    if (map.failure) return map.failure
    const first = await this.#send({ mapId: map.id, places })
    const answer = 'isUnknown' in first ? await this.#send({ mapId: map.id, texts: map.texts, places }) : first

    if ('positions' in answer) return answer
    map.failure = 'failure' in answer ? answer : { failure: 'source map is invalid' }

    return map.failure
  }

  async #send(request: MapRequest): Promise<MapAnswer> {
    const thread = await this.#start()
    const timeout = AbortSignal.timeout(this.#limits.ms)

    thread.ref()
    thread.postMessage(request)
    try {
      const [answer] = await once(thread, 'message', { signal: timeout })

      return answer
    } catch {
      // It ran out of memory, or of time.
      this.#thread = undefined
      await thread.terminate()

      return { failure: timeout.aborted ? 'source map takes too long to decode' : 'source map needs too much memory' }
    } finally {
      // Idle, it does not keep the process.
      thread.unref()
    }
  }

  async #start() {
    if (!this.#thread) {
      const thread = new Worker(new URL('./map-thread.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb }
      })

      this.#thread = thread
      // Without a listener, one that ends while nothing is asked would end the process.
      thread.on('error', () => {
        if (this.#thread === thread) this.#thread = undefined
      })
      await once(thread, 'online')
    }

    return this.#thread
  }
}

export function placeKey({ line, column, functionName }: Place) {
  return `${line}:${column}:${functionName}`
}

function cacheKey({ id }: StoredMap, place: Place) {
  return `${id} ${placeKey(place)}`
}
