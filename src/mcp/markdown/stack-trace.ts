import { isEmpty, type Json, listOrEmpty, objectOrEmpty, objectOrUndefined, textOrUndefined, valuesOf } from '../../lib/json.ts'
import { bounded, line } from './markdown.ts'

const maxExceptions = 5
const maxTitle = 2000
const maxFrames = 30
/** Frames of the application, innermost first, that are shown with code and variables. */
const maxDetailed = 6
const maxContext = 3
const maxVariables = 8

/** The exceptions of an event as text, the outermost one first, the most recent call on top; undefined if it has none. */
export function writeStackTrace(event: Json) {
  const exceptions = valuesOf(event.exception).reverse()
  const sources = exceptions.length > 0 ? exceptions : threadsOf(event)
  const written = sources.slice(0, maxExceptions).map((source, n) => `${n > 0 ? 'Caused by: ' : ''}${writeException(source)}`)

  if (sources.length > maxExceptions) written.push(`… ${sources.length - maxExceptions} more causes`)

  return written.join('\n\n') || undefined
}

/** Events without an exception have the stack trace of a thread, or their own. */
function threadsOf(event: Json) {
  const threads = valuesOf(event.threads).filter(thread => objectOrUndefined(thread.stacktrace))
  const [thread] = [...threads.filter(({ crashed, current }) => crashed || current), ...threads]

  return thread ? [thread] : objectOrUndefined(event.stacktrace) ? [{ stacktrace: event.stacktrace }] : []
}

function writeException(exception: Json) {
  const { type, value, stacktrace } = exception
  const title = bounded([type, value].map(textOrUndefined).filter(Boolean).join(': '), maxTitle)
  const frames = listOrEmpty(objectOrUndefined(stacktrace)?.frames).map(objectOrEmpty).reverse()
  const detailed = new Set(frames.filter(frame => frame.in_app === true).slice(0, maxDetailed))
  const lines = frames.slice(0, maxFrames).map(frame => writeFrame(frame, detailed.has(frame)))

  if (frames.length > maxFrames) lines.push(`    … ${frames.length - maxFrames} more frames`)

  return [title, ...lines].filter(Boolean).join('\n')
}

function writeFrame(frame: Json, isDetailed: boolean) {
  const file = textOrUndefined(frame.filename) ?? textOrUndefined(frame.abs_path) ?? textOrUndefined(frame.module) ?? '<unknown>'
  const place = [file, frame.lineno, frame.colno].filter(part => part !== undefined && part !== null).join(':')
  const call = `    at ${line(textOrUndefined(frame.function) ?? '<anonymous>')} (${place})${frame.in_app === true ? ' [in app]' : ''}`

  return isDetailed ? [call, ...writeContext(frame), ...writeVariables(frame)].join('\n') : call
}

function writeContext({ lineno, pre_context: before, context_line: code, post_context: after }: Json) {
  if (typeof lineno !== 'number' || typeof code !== 'string') return []
  const preceding = listOrEmpty(before).slice(-maxContext)
  const following = listOrEmpty(after).slice(0, maxContext)
  const write = (text: unknown, at: number, mark = ' ') => `      ${mark} ${at} | ${String(text).slice(0, 200)}`

  return [
    ...preceding.map((text, n) => write(text, lineno - preceding.length + n)),
    write(code, lineno, '>'),
    ...following.map((text, n) => write(text, lineno + 1 + n))
  ]
}

function writeVariables({ vars }: Json) {
  const variables = objectOrEmpty(vars)

  if (isEmpty(variables)) return []
  const shown = Object.entries(variables).slice(0, maxVariables)

  return [
    `        ${shown.map(([name, value]) => `${name} = ${line(typeof value === 'string' ? value : JSON.stringify(value), 80)}`).join(', ')}`
  ]
}
