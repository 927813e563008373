import type { Json } from '../../../lib/json.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import type { Listener } from '../../../platform/database/listener.ts'
import { isAway } from '../../../platform/problems.ts'
import { Remembered } from './bounded-cache.ts'
import { findByDebugId, findByRelease, hasMaps } from './find-map.ts'
import { MapDecoder, placeKey, StoredMap, type StoredTexts } from './map-decoder.ts'
import { resolveEvent, type Script } from './resolve-event.ts'
import type { Place } from './resolve-frames.ts'

/** Of compressed maps. */
const rememberedBytes = 32 << 20

/** What a worker process knows of the maps of its projects. A project without any costs a look into memory. */
export class SourceMaps {
  #projects = new Remembered<true>({ bytes: 10_000, size: () => 1, seconds: 60, absentSeconds: 10 })
  #maps = new Remembered<StoredMap>({ bytes: rememberedBytes, size: map => map.bytes })
  #decoder = new MapDecoder()

  constructor(listener: Listener) {
    listener.on('changed', payload => {
      const [name, projectId = ''] = payload.split(' ')

      if (name === 'source-maps') this.#forget(projectId && `${projectId} `)
    })
    listener.onLost(() => this.#forget())
  }

  /** The event with its frames as they were before the build; the very same where nothing is known of that. */
  async resolve(em: EntityManager, projectId: number, event: Json): Promise<Json> {
    if (!isFromJavaScript(event)) return event
    const hasAny = this.#projects.get(`${projectId} `, async () => (await hasMaps(em, projectId)) || undefined)

    if (!(hasAny instanceof Promise ? await hasAny : hasAny)) return event

    return resolveEvent(event, (script, places) => this.#ask(em, projectId, script, places)).catch(error => {
      // An event that cannot be resolved is still an event.
      if (isAway(error)) throw error

      return { ...event, errors: [{ type: 'unknown_error' }] }
    })
  }

  async #ask(em: EntityManager, projectId: number, script: Script, places: Place[]) {
    const map = await this.#find(em, projectId, script)
    if (!map) return undefined
    const located = await this.#decoder.locate(map, places)

    if ('failure' in located) return located

    return {
      positionOf: (line: number, column: number | undefined, functionName: string) => located.get(placeKey({ line, column, functionName }))
    }
  }

  /** By its debug id, or else by its address in its release. */
  async #find(em: EntityManager, projectId: number, script: Script) {
    const { debugId, release, dist = '', address } = script
    const byId =
      debugId && (await this.#maps.get(`${projectId} ${debugId}`, async () => store(await findByDebugId(em, projectId, debugId))))

    if (byId || !release) return byId || undefined

    return this.#maps.get(`${projectId} ${JSON.stringify([release, dist, address])}`, async () =>
      store(await findByRelease(em, projectId, script))
    )
  }

  #forget(prefix = '') {
    this.#projects.forget(prefix)
    this.#maps.forget(prefix)
  }
}

/** One for each process, which is to say for each connection by which it hears of changes. */
const known = new WeakMap<Listener, SourceMaps>()

export function sourceMapsOf(listener: Listener) {
  const maps = known.get(listener) ?? new SourceMaps(listener)

  known.set(listener, maps)

  return maps
}

function isFromJavaScript({ platform }: Json) {
  return platform === 'javascript' || platform === 'node' || platform === undefined
}

function store(texts: StoredTexts | undefined) {
  return texts && new StoredMap(texts)
}
