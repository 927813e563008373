import { type Json, listOrEmpty, objectOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import type { GeneratedPosition, OriginalPosition } from './script-map.ts'
import { isInApp, normalizeUrl, sourceFilename, sourceUrl } from './source-urls.ts'

export interface MapFailure {
  failure: string
}

export type Located = { positionOf: (position: GeneratedPosition) => OriginalPosition | undefined } | MapFailure

/** An entry of the event's `errors`, with Sentry's error types. */
export interface EventError {
  type: 'js_invalid_source' | 'js_invalid_sourcemap_location'
  url: string
  reason?: string
}

export type ReportError = (error: EventError) => void

/** Limits the cost of an event: only the innermost frames and the last exceptions are resolved. */
export const maxFrames = 100
const maxStacktraces = 5

/** Resolves the frames of a stack trace, outermost first. Undefined if no frame was resolved. */
export function resolveFrames(frames: unknown[], find: (url: string) => Located | undefined, report: ReportError): unknown[] | undefined {
  let calledName: string | undefined
  let isResolved = false

  const resolved = frames.map((item, n) => {
    const frame = n < frames.length - maxFrames ? undefined : objectOrUndefined(item)
    const position = frame && locate(frame, find, report)
    const nameInCaller = calledName

    calledName = position?.name
    if (!position) return item
    isResolved = true

    return rewrite(frame, position, nameInCaller)
  })

  return isResolved ? resolved : undefined
}

function locate(frame: Json, find: (url: string) => Located | undefined, report: ReportError) {
  const url = scriptUrl(frame)
  const generated = generatedPosition(frame)
  const located = url && generated ? find(url) : undefined

  if (!located || !generated) return undefined
  if ('failure' in located) return void report({ type: 'js_invalid_source', url, reason: located.failure })

  return located.positionOf(generated) ?? void report({ type: 'js_invalid_sourcemap_location', url })
}

/** Undefined for a frame without a line. */
export function generatedPosition(frame: Json): GeneratedPosition | undefined {
  const line = asPositiveInteger(frame.lineno)

  return line
    ? { line, column: asPositiveInteger(frame.colno), functionName: minifiedPart(textOrUndefined(frame.function) ?? '') }
    : undefined
}

export function scriptUrl(frame: Json) {
  return normalizeUrl(textOrUndefined(frame.abs_path) ?? textOrUndefined(frame.filename) ?? '')
}

function rewrite(frame: Json, position: OriginalPosition, nameInCaller: string | undefined): Json {
  const { module: _, pre_context: __, context_line: ___, post_context: ____, ...rest } = frame
  const reported = textOrUndefined(frame.function)

  return {
    ...rest,
    ...(reported && { function: functionName(reported, position, nameInCaller) }),
    filename: sourceFilename(position.source),
    abs_path: sourceUrl(position.source, scriptUrl(frame)),
    lineno: position.line,
    colno: position.column,
    in_app: !position.isIgnored && isInApp(position.source),
    ...position.context,
    data: { ...objectOrEmpty(frame.data), symbolicated: true }
  }
}

function asPositiveInteger(value: unknown) {
  const number = textOrUndefined(value) === undefined ? Number.NaN : Number(value)

  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** The stack traces of an event, its exceptions and its threads, each with its owner. */
export function findStacktraces(event: Json) {
  const owners = [
    event,
    ...[event.exception, event.threads].flatMap(item => listOrEmpty(objectOrUndefined(item)?.values ?? item).map(objectOrUndefined))
  ]
  const stacktraces = owners.flatMap(owner => {
    const stacktrace = objectOrUndefined(owner?.stacktrace)

    return owner && Array.isArray(stacktrace?.frames) ? [{ owner, stacktrace, frames: stacktrace.frames as unknown[] }] : []
  })

  return stacktraces.slice(-maxStacktraces)
}

/** Minifiers use names of up to three characters. */
const shortName = /^[\w$]{1,3}$/

/** The part of a reported name that a minifier may have made: `t` in `new t`, `t.pay` and `async t`. */
function minifiedPart(reported: string) {
  const [, name = ''] = /^(?:(?:async|new) )*([\w$]+)(?:\.|$)/.exec(reported) ?? []

  return shortName.test(name) ? name : ''
}

/** A function's original name: from its declaration, else from the call in the caller's source. Long names are kept. */
function functionName(reported: string, position: OriginalPosition, nameInCaller: string | undefined) {
  const minified = minifiedPart(reported)

  if (!minified) return reported
  if (position.functionName) return reported.replace(minified, () => position.functionName!)
  const method = reported.slice(reported.indexOf(minified) + minified.length + 1)

  // Minifiers keep method names; the original name of the object is unknown.
  return method || nameInCaller || reported
}
