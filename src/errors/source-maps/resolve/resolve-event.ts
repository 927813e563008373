import { type Json, listOrEmpty, objectOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { parseDebugId } from '../upload/manifest.ts'
import {
  findStacktraces,
  generatedPosition,
  type Located,
  maxFrames,
  type ReportError,
  resolveFrames,
  scriptUrl
} from './resolve-frames.ts'
import type { GeneratedPosition } from './script-map.ts'
import { normalizeUrl } from './source-urls.ts'

/** Identifies a script, to find its source map. */
export interface ScriptReference {
  url: string
  debugId?: string
  release?: string
  dist?: string
}

/** Locates positions of a script by its source map; undefined without a source map. */
export type LocatePositions = (script: ScriptReference, positions: GeneratedPosition[]) => Promise<Located | undefined>

type LocatedScripts = Map<string, Located | undefined>

const maxScripts = 50
const maxImages = 1000
const maxErrors = 10

/**
 * Resolves the frames of minified code. The original frames move to `raw_stacktrace`, and reasons why a source map could not
 * be applied are added to `errors`. Returns the same event if nothing changes.
 */
export async function resolveEvent(event: Json, locate: LocatePositions): Promise<Json> {
  const debugIds = readDebugIds(event)
  const scripts: LocatedScripts = new Map()
  const errors = new Map<string, Json>()

  for (const [url, positions] of positionsByScript(event)) {
    const script = { url, debugId: debugIds.get(url), release: textOrUndefined(event.release), dist: textOrUndefined(event.dist) }

    scripts.set(url, await locate(script, positions))
    if (!scripts.get(url) && script.debugId) errors.set(url, { type: 'js_no_source', url })
  }
  const resolved = replaceStacktraces(event, scripts, error => errors.set(`${error.type} ${error.url}`, { ...error }))

  if (errors.size === 0) return resolved

  return { ...resolved, errors: [...listOrEmpty(event.errors), ...errors.values()].slice(0, maxErrors) }
}

/** Debug ids of the event's scripts, by URL. */
export function readDebugIds(event: Json) {
  const images = listOrEmpty(objectOrUndefined(event.debug_meta)?.images).slice(0, maxImages).map(objectOrUndefined)

  return new Map(
    images.flatMap(image => {
      const [url, id] = [normalizeUrl(textOrUndefined(image?.code_file) ?? ''), parseDebugId(image?.debug_id)]

      return image?.type === 'sourcemap' && url && id ? [[url, id] as const] : []
    })
  )
}

function positionsByScript(event: Json) {
  const scripts = new Map<string, GeneratedPosition[]>()

  for (const item of findStacktraces(event).flatMap(({ frames }) => frames.slice(-maxFrames))) {
    const frame = objectOrEmpty(item)
    const url = scriptUrl(frame)
    const position = generatedPosition(frame)

    if (!url || url.startsWith('node:') || (!scripts.has(url) && scripts.size === maxScripts)) continue
    scripts.set(url, [...(scripts.get(url) ?? []), ...(position ? [position] : [])])
  }

  return scripts
}

function replaceStacktraces(event: Json, scripts: LocatedScripts, report: ReportError): Json {
  const replaced = new Map<unknown, Json>()

  for (const { owner, stacktrace, frames } of findStacktraces(event)) {
    const resolved = resolveFrames(frames, url => scripts.get(url), report)

    if (resolved)
      replaced.set(owner, { ...owner, stacktrace: { ...stacktrace, frames: resolved }, raw_stacktrace: owner.raw_stacktrace ?? stacktrace })
  }
  if (replaced.size === 0) return event
  const replaceIn = (values: unknown): unknown => {
    if (Array.isArray(values)) return values.map(value => replaced.get(value) ?? value)
    const object = objectOrUndefined(values)

    return Array.isArray(object?.values) ? { ...object, values: replaceIn(object.values) } : values
  }

  return {
    ...(replaced.get(event) ?? event),
    ...('exception' in event && { exception: replaceIn(event.exception) }),
    ...('threads' in event && { threads: replaceIn(event.threads) })
  }
}
