import type { Frame, StackSource } from '#errors/events/stack-trace.ts'
import { type Json, textOrUndefined, valuesOf } from '#lib/json.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isUploaded } from './find-source-map.ts'
import { findNearMaps, type NearMaps } from './near-map-store.ts'
import { readDebugIds, type ScriptReference } from './resolve-event.ts'
import { normalizeUrl, uploadedUrls } from './source-urls.ts'

/** Why the frames of a script have no source. */
export interface ScriptExplanation extends ScriptReference {
  /** The URLs that a source map of the release may be uploaded under. */
  urls: string[]
  /** Uploaded after the event was received, unless `failures` tell why it could not be applied. */
  isUploaded: boolean
  /** From the event's `errors`, with Sentry's error types. */
  failures: { type: string; reason?: string }[]
  /** What the release has instead. */
  near: NearMaps
}

const maxScripts = 5

/** Explains the frames of minified scripts that no source map was applied to, by the URL of the script. */
export async function explainScripts(em: EntityManager, projectId: number, event: Json, sources: StackSource[]) {
  const debugIds = readDebugIds(event)
  const frames = sources.flatMap(({ frames }) => frames).filter(frame => isMinified(frame, event, debugIds))
  const urls = [...new Set(frames.map(scriptOf))].slice(0, maxScripts)
  const explanations = new Map<string, ScriptExplanation>()

  for (const url of urls) {
    const script = { url, debugId: debugIds.get(url), release: textOrUndefined(event.release), dist: textOrUndefined(event.dist) }

    explanations.set(url, {
      ...script,
      urls: uploadedUrls(url),
      isUploaded: await isUploaded(em, projectId, script),
      failures: failuresOf(event, url),
      near: await findNearMaps(em, projectId, script)
    })
  }

  return explanations
}

export function scriptOf({ abs_path, filename }: Frame) {
  return normalizeUrl(abs_path ?? filename ?? '')
}

/** Browsers load bundles; other programs run bundles only if they have a debug id. */
function isMinified(frame: Frame, { platform }: Json, debugIds: Map<string, string>) {
  const url = scriptOf(frame)
  const isScript = frame.raw === null && frame.lineNo !== null && /\.[cm]?js$/.test(url)

  return isScript && (debugIds.has(url) || (platform === 'javascript' && /^[a-z]+:\/\//i.test(url)))
}

function failuresOf({ errors }: Json, url: string) {
  return valuesOf(errors)
    .filter(error => error.url === url && typeof error.type === 'string')
    .map(({ type, reason }) => ({ type: String(type), reason: textOrUndefined(reason) }))
}
