import { type Json, listOrEmpty, objectOrUndefined, textOrUndefined, valuesOf } from '#lib/json.ts'
import { isOwnFrame } from '../grouping/grouping-input.ts'

export type Frame = ReturnType<typeof readFrame>

/** An exception, or what else of an event has a stack trace. */
export interface StackSource {
  /** Undefined for threads, and for events without exceptions. */
  exception?: Json
  /** The outermost call first. */
  frames: Frame[]
}

/** The frames of all exceptions of an event, as sent: the cause first, and of each exception the outermost call first. */
export function stackTrace(event: Json) {
  return stackSources(event).flatMap(({ frames }) => frames.map(({ module: _, vars: __, ...frame }) => frame))
}

/** The exceptions of an event, the cause first. Without exceptions, the thread that crashed, or the event itself. */
export function stackSources(event: Json): StackSource[] {
  const exceptions = valuesOf(event.exception)

  if (exceptions.length > 0) return exceptions.map(exception => ({ exception, frames: framesOf(exception) }))
  const threads = valuesOf(event.threads).filter(({ stacktrace }) => stacktrace)
  const thread = threads.find(({ crashed }) => crashed) ?? threads.find(({ current }) => current)

  return [{ frames: framesOf(event.stacktrace ? event : (thread ?? event)) }]
}

function framesOf({ stacktrace, raw_stacktrace }: Json) {
  const raw = listOrEmpty(objectOrUndefined(raw_stacktrace)?.frames)

  return listOrEmpty(objectOrUndefined(stacktrace)?.frames).map((frame, n) =>
    readFrame(objectOrUndefined(frame) ?? {}, objectOrUndefined(raw[n]))
  )
}

function readFrame(frame: Json, raw: Json | undefined) {
  return {
    ...nameOf(frame),
    abs_path: textOrUndefined(frame.abs_path) ?? null,
    ...placeOf(frame),
    inApp: isOwnFrame(frame),
    context: contextOf(frame),
    /** The frame in the minified code, when a source map was applied. */
    raw: raw ? { ...nameOf(raw), ...placeOf(raw) } : null,
    module: textOrUndefined(frame.module),
    vars: objectOrUndefined(frame.vars)
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
