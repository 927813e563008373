import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '../../../lib/json.ts'
import { readDebugId } from '../upload/manifest.ts'
import { addressOf, type Complain, type FindMap, mostFrames, type Place, placeOf, resolveFrames, stacksOf } from './resolve-frames.ts'
import { plainAddress } from './source-urls.ts'

/** What tells which map a script has. */
export interface Script {
  address: string
  debugId?: string
  release?: string
  dist?: string
}

/** Asks the map of a script about all these places at once. */
export type AskMap = (script: Script, places: Place[]) => Promise<ReturnType<FindMap>>

const mostScripts = 50
const mostErrors = 10

/**
 * The event with the frames of built code as they were before, and those that came beside them as `raw_stacktrace`; why a
 * map that was expected could not serve stands in its `errors`. The very same event when there is nothing to tell.
 */
export async function resolveEvent(event: Json, ask: AskMap): Promise<Json> {
  const debugIds = readDebugIds(event)
  const maps = await askMaps(event, debugIds, ask)
  const errors = new Map<string, Json>()
  const complain: Complain = (type, url, reason) => void errors.set(`${type} ${url}`, { type, url, ...(reason && { reason }) })

  for (const [address, map] of maps) if (!map && debugIds.has(address)) errors.set(address, { type: 'js_no_source', url: address })
  const resolved = replaceStacks(event, address => maps.get(address), complain)

  if (errors.size === 0) return resolved

  return { ...resolved, errors: [...listOrEmpty(event.errors), ...errors.values()].slice(0, mostErrors) }
}

/** By the addresses of scripts, as the SDK read them off what was put into those. */
function readDebugIds(event: Json) {
  const images = listOrEmpty(objectOrUndefined(event.debug_meta)?.images).slice(0, 1000).map(objectOrUndefined)

  return new Map(
    images.flatMap(image => {
      const [address, id] = [plainAddress(textOrUndefined(image?.code_file) ?? ''), readDebugId(image?.debug_id)]

      return image?.type === 'sourcemap' && address && id ? [[address, id] as const] : []
    })
  )
}

async function askMaps(event: Json, debugIds: Map<string, string>, ask: AskMap) {
  const { release, dist } = event
  const maps = new Map<string, ReturnType<FindMap>>()

  for (const [address, places] of placesOf(event))
    maps.set(
      address,
      await ask({ address, debugId: debugIds.get(address), release: textOrUndefined(release), dist: textOrUndefined(dist) }, places)
    )

  return maps
}

/** The places that the frames of an event are at, by script. */
function placesOf(event: Json) {
  const scripts = new Map<string, Place[]>()

  for (const given of stacksOf(event).flatMap(({ frames }) => frames.slice(-mostFrames))) {
    const frame = objectOrUndefined(given) ?? {}
    const address = addressOf(frame)
    const place = placeOf(frame)

    if (!address || address.startsWith('node:') || (!scripts.has(address) && scripts.size === mostScripts)) continue
    scripts.set(address, [...(scripts.get(address) ?? []), ...(place ? [place] : [])])
  }

  return scripts
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
    const held = objectOrUndefined(given)

    return Array.isArray(held?.values) ? { ...held, values: values(held.values) } : given
  }
  const whole = replaced.get(event) ?? event

  return {
    ...whole,
    ...('exception' in event && { exception: values(event.exception) }),
    ...('threads' in event && { threads: values(event.threads) })
  }
}
