import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '../../lib/json.ts'
import { normaliseEvent } from '../normalise/normalise-event.ts'

/** The frames of an event as a person reads them: of all its exceptions, innermost first. */
export function stackTrace(given: Json) {
  const event = normaliseEvent(given)
  const exceptions = listOrEmpty(objectOrUndefined(event.exception)?.values).toReversed()
  const holders = exceptions.length > 0 ? exceptions.map(objectOrUndefined) : [event]

  return holders.flatMap(holder => framesOf(holder?.stacktrace, holder?.raw_stacktrace))
}

function framesOf(trace: unknown, rawTrace: unknown) {
  const raw = listOrEmpty(objectOrUndefined(rawTrace)?.frames)

  return listOrEmpty(objectOrUndefined(trace)?.frames)
    .map((frame, n) => ({ ...present(objectOrUndefined(frame) ?? {}), raw: placeOf(objectOrUndefined(raw[n])) }))
    .toReversed()
}

/** Where the same was in the code that ran, when that was built from what is shown. */
function placeOf(frame: Json | undefined) {
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

/** The lines around, each with its number. */
function contextOf({ lineno, pre_context: before, context_line: line, post_context: after }: Json) {
  const at = asNumber(lineno)
  const text = textOrUndefined(line)

  if (at === null || text === undefined) return []
  const above = listOrEmpty(before).map(String)

  return [...above, text, ...listOrEmpty(after).map(String)].map((each, n): [number, string] => [at - above.length + n, each])
}

function asNumber(given: unknown) {
  return Number.isSafeInteger(given) ? (given as number) : null
}
