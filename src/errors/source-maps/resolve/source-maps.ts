import type { Json } from '#lib/json.ts'
import { LoadingCache } from '#platform/cache/loading-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Listener } from '#platform/database/listener.ts'
import { isUnavailable } from '#platform/problems.ts'
import { findByDebugId, findByRelease, hasSourceMaps } from './find-source-map.ts'
import { MapDecoder, StoredMap, type StoredTexts } from './map-decoder.ts'
import { resolveEvent, type ScriptReference } from './resolve-event.ts'

const maxCompressedBytes = 32 << 20

/** Resolves stack traces by the uploaded source maps. Cache keys start with the project's id, so that a project can be invalidated. */
export class SourceMaps {
  #projects: LoadingCache<boolean>
  #maps: LoadingCache<StoredMap>
  #decoder = new MapDecoder()

  constructor(listener: Listener) {
    const size = { maxBytes: maxCompressedBytes, of: (map: StoredMap) => map.bytes }

    this.#projects = new LoadingCache(listener, { name: 'source-maps' })
    this.#maps = new LoadingCache(listener, { name: 'source-maps', size, seconds: 600, absentSeconds: 30 })
  }

  /** Returns the event with resolved frames, or the same event if the project has no source map for it. */
  async resolve(em: EntityManager, projectId: number, event: Json): Promise<Json> {
    if (!isJavaScript(event)) return event
    const hasAny = this.#projects.get(`${projectId}`, () => hasSourceMaps(em, projectId))

    // Avoids an await for projects without source maps.
    if (!(hasAny instanceof Promise ? await hasAny : hasAny)) return event

    return resolveEvent(event, async (script, positions) => {
      const map = await this.#find(em, projectId, script)

      return map && this.#decoder.locate(map, positions)
    }).catch(error => {
      if (isUnavailable(error)) throw error

      // The event is stored without resolved frames.
      return { ...event, errors: [{ type: 'unknown_error' }] }
    })
  }

  async #find(em: EntityManager, projectId: number, script: ScriptReference) {
    const { debugId, release, dist, url } = script
    const byDebugId =
      debugId && (await this.#maps.get(`${projectId} ${debugId}`, async () => toStoredMap(await findByDebugId(em, projectId, debugId))))

    if (byDebugId || !release) return byDebugId || undefined
    const key = `${projectId} ${JSON.stringify([release, dist, url])}`

    return this.#maps.get(key, async () => toStoredMap(await findByRelease(em, projectId, script)))
  }
}

function isJavaScript({ platform }: Json) {
  return platform === 'javascript' || platform === 'node' || platform === undefined
}

function toStoredMap(texts: StoredTexts | undefined) {
  return texts && new StoredMap(texts)
}
