import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '../../../lib/json.ts'
import { functionName, minifiedPart } from './function-name.ts'
import type { Position, ScriptMap } from './script-map.ts'
import { isOwnCode, plainAddress, sourceAddress, sourceName } from './source-urls.ts'

/** A place in a script, as a frame has it; both numbers from 1. */
export interface Place {
  line: number
  column: number | undefined
  /** The part of the function's name that a minifier may have made. */
  functionName: string
}

export interface MapFailure {
  failure: string
}

/** The map of a script: nothing when there is none. */
export type FindMap = (address: string) => Pick<ScriptMap, 'positionOf'> | MapFailure | undefined

/** Of a deeper stack the innermost, and of more chained exceptions the last: whoever sends an event has no say in what it costs. */
export const mostFrames = 100
const mostStacks = 5

/** Why a frame stays as it is, though a map was there for it; in words that clients know. */
export type Complain = (type: 'js_invalid_source' | 'js_invalid_sourcemap_location', address: string, reason?: string) => void

/** The frames of a stack as they were before a build, outermost first; nothing when none of them was built, as far as is known. */
export function resolveFrames(frames: unknown[], find: FindMap, complain: Complain): unknown[] | undefined {
  let calledName: string | undefined
  let isResolved = false

  const resolved = frames.map((given, n) => {
    const frame = n < frames.length - mostFrames ? undefined : objectOrUndefined(given)
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
  address: string
  position: Position
}

function locate(frame: Json, find: FindMap, complain: Complain): Located | undefined {
  const address = addressOf(frame)
  const place = placeOf(frame)
  const map = address && place ? find(address) : undefined

  if (!map || !place) return undefined
  if ('failure' in map) return void complain('js_invalid_source', address, map.failure)
  const position = map.positionOf(place.line, place.column, place.functionName)

  return position ? { address, position } : void complain('js_invalid_sourcemap_location', address)
}

/** What a map is asked about a frame; nothing without a line. */
export function placeOf(frame: Json): Place | undefined {
  const line = asNumber(frame.lineno)

  return line ? { line, column: asNumber(frame.colno), functionName: minifiedPart(textOrUndefined(frame.function) ?? '') } : undefined
}

/** The script that a frame is in, as all that deals with maps knows it. */
export function addressOf(frame: Json) {
  return plainAddress(textOrUndefined(frame.abs_path) ?? textOrUndefined(frame.filename) ?? '')
}

function rewrite(frame: Json, { address, position }: Located, calledName: string | undefined): Json {
  const { module: _, pre_context: __, context_line: ___, post_context: ____, ...others } = frame
  const reported = textOrUndefined(frame.function)

  return {
    ...others,
    ...(reported && { function: functionName(reported, position, calledName) }),
    filename: sourceName(position.source),
    abs_path: sourceAddress(position.source, address),
    lineno: position.line,
    colno: position.column,
    in_app: !position.isIgnored && isOwnCode(position.source),
    ...position.context,
    data: { ...objectOrUndefined(frame.data), symbolicated: true }
  }
}

function asNumber(given: unknown) {
  const number = typeof given === 'string' ? Number(given) : given

  return Number.isSafeInteger(number) && (number as number) > 0 ? (number as number) : undefined
}

/** Every stack of an event: of its exceptions, its threads and its own, each in what holds it. */
export function stacksOf(event: Json) {
  const holders = [event.exception, event.threads].flatMap(given =>
    listOrEmpty(objectOrUndefined(given)?.values ?? given).map(objectOrUndefined)
  )

  const stacks = [event, ...holders].flatMap(holder => {
    const trace = objectOrUndefined(holder?.stacktrace)

    return holder && Array.isArray(trace?.frames) ? [{ holder, trace, frames: trace.frames as unknown[] }] : []
  })

  return stacks.slice(-mostStacks)
}
