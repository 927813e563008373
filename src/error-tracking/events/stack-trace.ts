import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '../../lib/json.ts'

/** The frames of all exceptions of an event, as sent: the cause first, and of each exception the outermost call first. */
export function stackTrace(event: Json) {
  const exceptions = listOrEmpty(objectOrUndefined(event.exception)?.values)
  const traces = exceptions.length > 0 ? exceptions.map(objectOrUndefined) : [event]

  return traces.flatMap(source => framesOf(source?.stacktrace, source?.raw_stacktrace))
}

function framesOf(trace: unknown, rawTrace: unknown) {
  const raw = listOrEmpty(objectOrUndefined(rawTrace)?.frames)

  return listOrEmpty(objectOrUndefined(trace)?.frames).map((frame, n) => ({
    ...present(objectOrUndefined(frame) ?? {}),
    raw: positionOf(objectOrUndefined(raw[n]))
  }))
}

/** The frame in the minified code, when a source map was applied. */
function positionOf(frame: Json | undefined) {
  return frame ? { ...nameOf(frame), ...placeOf(frame) } : null
}

function present(frame: Json) {
  return {
    ...nameOf(frame),
    abs_path: textOrUndefined(frame.abs_path) ?? null,
    ...placeOf(frame),
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

/** As in GitLab, a column that is not known is 0. */
function placeOf(frame: Json) {
  return { lineNo: asNumber(frame.lineno), colNo: asNumber(frame.colno) ?? 0 }
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
