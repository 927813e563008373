import { modernise } from './normalise/event.ts'
import { asList, asObject, asText, type Json } from './normalise/json.ts'

/** The frames of an event as a person reads them: of all its exceptions, innermost first. */
export function stackTrace(given: Json) {
  const event = modernise(given)
  const exceptions = asList(asObject(event.exception)?.values).toReversed()
  const traces = exceptions.length > 0 ? exceptions.map(each => asObject(asObject(each)?.stacktrace)) : [asObject(event.stacktrace)]

  return traces.flatMap(trace =>
    asList(trace?.frames)
      .toReversed()
      .map(frame => present(asObject(frame) ?? {}))
  )
}

function present(frame: Json) {
  return {
    function: asText(frame.function) ?? null,
    filename: asText(frame.filename) ?? asText(frame.abs_path) ?? asText(frame.module) ?? null,
    lineNo: asNumber(frame.lineno),
    colNo: asNumber(frame.colno),
    inApp: frame.in_app === true,
    context: contextOf(frame)
  }
}

/** The lines around, each with its number. */
function contextOf({ lineno, pre_context: before, context_line: line, post_context: after }: Json) {
  const at = asNumber(lineno)
  const text = asText(line)

  if (at === null || text === undefined) return []
  const above = asList(before).map(String)

  return [...above, text, ...asList(after).map(String)].map((each, n): [number, string] => [at - above.length + n, each])
}

function asNumber(given: unknown) {
  return Number.isSafeInteger(given) ? (given as number) : null
}
