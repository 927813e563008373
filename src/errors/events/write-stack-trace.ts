import { type Json, listOrEmpty, objectOrEmpty, objectOrUndefined, textOrUndefined, valuesOf } from '#lib/json.ts'
import { bounded, line } from '#lib/markdown.ts'
import { isOwnFrame } from '../grouping/grouping-input.ts'

interface Limits {
  exceptions: number
  frames: number
  /** Frames with code and variables, innermost first. */
  detailed: number
  /** Whether frames of libraries have code and variables, too. */
  hasLibraryCode: boolean
  contextLines: number
  variables: number
  titleLength: number
  codeLength: number
  valueLength: number
}

const digest: Limits = {
  exceptions: 5,
  frames: 30,
  detailed: 6,
  hasLibraryCode: false,
  contextLines: 3,
  variables: 8,
  titleLength: 2000,
  codeLength: 200,
  valueLength: 80
}

export const everything: Limits = {
  exceptions: Infinity,
  frames: Infinity,
  detailed: Infinity,
  hasLibraryCode: true,
  contextLines: Infinity,
  variables: Infinity,
  titleLength: Infinity,
  codeLength: Infinity,
  valueLength: Infinity
}

/** The exceptions of an event as text, the outermost one first, the most recent call on top; undefined if it has none. */
export function writeStackTrace(event: Json, limits = digest) {
  const exceptions = valuesOf(event.exception).reverse()
  const sources = exceptions.length > 0 ? exceptions : threadsOf(event)
  const written = sources.slice(0, limits.exceptions).map((source, n) => `${n > 0 ? 'Caused by: ' : ''}${writeException(source, limits)}`)

  if (sources.length > limits.exceptions) written.push(`… ${sources.length - limits.exceptions} more causes`)

  return written.join('\n\n') || undefined
}

/** Events without an exception have the stack trace of a thread, or their own. */
function threadsOf(event: Json) {
  const threads = valuesOf(event.threads).filter(thread => objectOrUndefined(thread.stacktrace))
  const [thread] = [...threads.filter(({ crashed, current }) => crashed || current), ...threads]

  return thread ? [thread] : objectOrUndefined(event.stacktrace) ? [{ stacktrace: event.stacktrace }] : []
}

function writeException(exception: Json, limits: Limits) {
  const { type, value, stacktrace } = exception
  const title = bounded([type, value].map(textOrUndefined).filter(Boolean).join(': '), limits.titleLength)
  const frames = listOrEmpty(objectOrUndefined(stacktrace)?.frames).map(objectOrEmpty).reverse()
  const detailed = new Set(frames.filter(frame => limits.hasLibraryCode || isOwnFrame(frame)).slice(0, limits.detailed))
  const lines = frames.slice(0, limits.frames).map(frame => writeFrame(frame, detailed.has(frame) ? limits : undefined))

  if (frames.length > limits.frames) lines.push(`    … ${frames.length - limits.frames} more frames`)

  return [title, ...lines].filter(Boolean).join('\n')
}

/** Limits are given for a frame that is shown with code and variables. */
function writeFrame(frame: Json, limits: Limits | undefined) {
  const file = textOrUndefined(frame.filename) ?? textOrUndefined(frame.abs_path) ?? textOrUndefined(frame.module) ?? '<unknown>'
  const place = [file, frame.lineno, frame.colno].filter(part => part !== undefined && part !== null).join(':')
  const call = `    at ${line(textOrUndefined(frame.function) ?? '<anonymous>')} (${place})${isOwnFrame(frame) ? ' [in app]' : ''}`

  return limits ? [call, ...writeContext(frame, limits), ...writeVariables(frame, limits)].join('\n') : call
}

function writeContext(
  { lineno, pre_context: before, context_line: code, post_context: after }: Json,
  { contextLines, codeLength }: Limits
) {
  if (typeof lineno !== 'number' || typeof code !== 'string') return []
  const preceding = listOrEmpty(before).slice(-contextLines)
  const following = listOrEmpty(after).slice(0, contextLines)
  const write = (text: unknown, at: number, mark = ' ') => `      ${mark} ${at} | ${String(text).slice(0, codeLength)}`

  return [
    ...preceding.map((text, n) => write(text, lineno - preceding.length + n)),
    write(code, lineno, '>'),
    ...following.map((text, n) => write(text, lineno + 1 + n))
  ]
}

function writeVariables({ vars }: Json, limits: Limits) {
  const shown = Object.entries(objectOrEmpty(vars)).slice(0, limits.variables)
  const written = shown.map(
    ([name, value]) => `${name} = ${line(typeof value === 'string' ? value : JSON.stringify(value), limits.valueLength)}`
  )

  return written.length > 0 ? [`        ${written.join(', ')}`] : []
}
