import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '../../lib/json.ts'

/** The frames of all exceptions of an event, innermost first. */
export function stackTrace(event: Json) {
  const exceptions = listOrEmpty(objectOrUndefined(event.exception)?.values).toReversed()
  const traces = exceptions.length > 0 ? exceptions.map(objectOrUndefined) : [event]

  return traces.flatMap(source => framesOf(source?.stacktrace, source?.raw_stacktrace))
}

function framesOf(trace: unknown, rawTrace: unknown) {
  const raw = listOrEmpty(objectOrUndefined(rawTrace)?.frames)

  return listOrEmpty(objectOrUndefined(trace)?.frames)
    .map((frame, n) => ({ ...present(objectOrUndefined(frame) ?? {}), raw: positionOf(objectOrUndefined(raw[n])) }))
    .toReversed()
}

/** The frame in the minified code, when a source map was applied. */
function positionOf(frame: Json | undefined) {
  return frame ? { ...nameOf(frame), lineNo: asNumber(frame.lineno), colNo: asNumber(frame.colno) } : null
}

function present(frame: Json) {
  return {
    ...nameOf(frame),
    lineNo: asNumber(frame.lineno),
    colNo: asNumber(frame.colno),
    inApp: frame.in_app === true,
    context: contextOf(frame)
  }
}

function nameOf(frame: Json) {
  return {
    function: textOrUndefined(frame.function) ?? null,
    filename: textOrUndefined(frame.filename) ?? textOrUndefined(frame.abs_path) ?? textOrUndefined(frame.module) ?? null
  }
}

/** The surrounding lines, each with its number. */
function contextOf({ lineno, pre_context: before, context_line: line, post_context: after }: Json) {
  const at = asNumber(lineno)
  const text = textOrUndefined(line)

  if (at === null || text === undefined) return []
  const linesBefore = listOrEmpty(before).map(String)

  return [...linesBefore, text, ...listOrEmpty(after).map(String)].map((context, n): [number, string] => [
    at - linesBefore.length + n,
    context
  ])
}

function asNumber(value: unknown) {
  return Number.isSafeInteger(value) ? (value as number) : null
}
