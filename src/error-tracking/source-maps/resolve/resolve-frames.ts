import { asList, asObject, asText, type Json } from '../../normalise/json.ts'
import { functionName, minifiedPart } from './function-name.ts'
import type { Position, ScriptMap } from './script-map.ts'
import { isOwnCode, plainAddress, sourceAddress, sourceName } from './source-urls.ts'

/** The map of a script: nothing when there is none, `broken` when it cannot be read. */
export type FindMap = (address: string) => ScriptMap | 'broken' | undefined

/** Of a deeper stack the innermost, and of more chained exceptions the last: whoever sends an event has no say in what it costs. */
export const mostFrames = 100
const mostStacks = 5

/** Lines shown before and after the one in question. */
const around = 5
const longestLine = 500

/** Why a frame stays as it is, though a map was there for it; in words that clients know. */
export type Complain = (type: 'js_invalid_source' | 'js_invalid_sourcemap_location', address: string) => void

/** The frames of a stack as they were before a build, outermost first; nothing when none of them was built, as far as is known. */
export function resolveFrames(frames: unknown[], find: FindMap, complain: Complain): unknown[] | undefined {
  let calledName: string | undefined
  let isResolved = false

  const resolved = frames.map((given, n) => {
    const frame = n < frames.length - mostFrames ? undefined : asObject(given)
    const found = frame && locate(frame, find, complain)
    const called = calledName

    calledName = found?.position.name
    if (!found) return given
    isResolved = true

    return rewrite(frame, found, called)
  })

  return isResolved ? resolved : undefined
}

interface Located {
  map: ScriptMap
  address: string
  position: Position
}

function locate(frame: Json, find: FindMap, complain: Complain): Located | undefined {
  const address = addressOf(frame)
  const line = asNumber(frame.lineno)
  const map = address && line ? find(address) : undefined

  if (!map || !line) return undefined
  if (map === 'broken') return void complain('js_invalid_source', address)
  const position = map.positionOf(line, asNumber(frame.colno), minifiedPart(asText(frame.function) ?? ''))

  return position ? { map, address, position } : void complain('js_invalid_sourcemap_location', address)
}

/** The script that a frame is in, as all that deals with maps knows it. */
export function addressOf(frame: Json) {
  return plainAddress(asText(frame.abs_path) ?? asText(frame.filename) ?? '')
}

function rewrite(frame: Json, { map, address, position }: Located, calledName: string | undefined): Json {
  const { module: _, pre_context: __, context_line: ___, post_context: ____, ...others } = frame
  const reported = asText(frame.function)

  return {
    ...others,
    ...(reported && { function: functionName(reported, position, calledName) }),
    filename: sourceName(position.source),
    abs_path: sourceAddress(position.source, address),
    lineno: position.line,
    colno: position.column,
    in_app: !position.isIgnored && isOwnCode(position.source),
    ...contextOf(map.linesOf(position.source), position.line - 1),
    data: { ...asObject(frame.data), symbolicated: true }
  }
}

function contextOf(lines: string[], at: number) {
  if (lines[at] === undefined) return {}
  const cut = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(line => line.slice(0, longestLine))

  return { pre_context: cut(at - around, at), context_line: lines[at].slice(0, longestLine), post_context: cut(at + 1, at + 1 + around) }
}

function asNumber(given: unknown) {
  const number = typeof given === 'string' ? Number(given) : given

  return Number.isSafeInteger(number) && (number as number) > 0 ? (number as number) : undefined
}

/** Every stack of an event: of its exceptions, its threads and its own, each in what holds it. */
export function stacksOf(event: Json) {
  const holders = [event.exception, event.threads].flatMap(given => asList(asObject(given)?.values ?? given).map(asObject))

  const stacks = [event, ...holders].flatMap(holder => {
    const trace = asObject(holder?.stacktrace)

    return holder && Array.isArray(trace?.frames) ? [{ holder, trace, frames: trace.frames as unknown[] }] : []
  })

  return stacks.slice(-mostStacks)
}
