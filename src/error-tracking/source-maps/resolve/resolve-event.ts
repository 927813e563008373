import { asList, asObject, asText, type Json } from '../../normalise/json.ts'
import { readDebugId } from '../upload/manifest.ts'
import { addressOf, type Complain, type FindMap, mostFrames, resolveFrames, stacksOf } from './resolve-frames.ts'
import type { ScriptMap } from './script-map.ts'
import { plainAddress } from './source-urls.ts'

/** What tells which map a script has. */
export interface Script {
  address: string
  debugId?: string
  release?: string
  dist?: string
}

export type LoadMap = (script: Script) => Promise<ScriptMap | 'broken' | undefined> | ScriptMap | 'broken' | undefined

const mostScripts = 50
const mostErrors = 10

/**
 * The event with the frames of built code as they were before, and those that came beside them as `raw_stacktrace`; why a
 * map that was expected could not serve stands in its `errors`. The very same event when there is nothing to tell.
 */
export async function resolveEvent(event: Json, load: LoadMap): Promise<Json> {
  const debugIds = readDebugIds(event)
  const maps = await loadMaps(event, debugIds, load)
  const errors = new Map<string, Json>()
  const complain: Complain = (type, url) => void errors.set(`${type} ${url}`, { type, url })

  for (const [address, map] of maps) if (!map && debugIds.has(address)) errors.set(address, { type: 'js_no_source', url: address })
  const resolved = replaceStacks(event, address => maps.get(address), complain)

  if (errors.size === 0) return resolved

  return { ...resolved, errors: [...asList(event.errors), ...errors.values()].slice(0, mostErrors) }
}

/** By the addresses of scripts, as the SDK read them off what was put into those. */
function readDebugIds(event: Json) {
  const images = asList(asObject(event.debug_meta)?.images).slice(0, 1000).map(asObject)

  return new Map(
    images.flatMap(image => {
      const [address, id] = [plainAddress(asText(image?.code_file) ?? ''), readDebugId(image?.debug_id)]

      return image?.type === 'sourcemap' && address && id ? [[address, id] as const] : []
    })
  )
}

async function loadMaps(event: Json, debugIds: Map<string, string>, load: LoadMap) {
  const { release, dist } = event
  const maps = new Map<string, Awaited<ReturnType<LoadMap>>>()

  for (const { frames } of stacksOf(event)) {
    for (const frame of frames.slice(-mostFrames)) {
      const address = addressOf(asObject(frame) ?? {})

      if (!address || address.startsWith('node:') || maps.has(address) || maps.size === mostScripts) continue
      maps.set(address, await load({ address, debugId: debugIds.get(address), release: asText(release), dist: asText(dist) }))
    }
  }

  return maps
}

function replaceStacks(event: Json, find: FindMap, complain: Complain): Json {
  const replaced = new Map<unknown, Json>()

  for (const { holder, trace, frames } of stacksOf(event)) {
    const resolved = resolveFrames(frames, find, complain)

    if (resolved)
      replaced.set(holder, { ...holder, stacktrace: { ...trace, frames: resolved }, raw_stacktrace: holder.raw_stacktrace ?? trace })
  }
  if (replaced.size === 0) return event
  const values = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(value => replaced.get(value) ?? value)
    const held = asObject(given)

    return Array.isArray(held?.values) ? { ...held, values: values(held.values) } : given
  }
  const whole = replaced.get(event) ?? event

  return {
    ...whole,
    ...('exception' in event && { exception: values(event.exception) }),
    ...('threads' in event && { threads: values(event.threads) })
  }
}
