import { type Json, textOrUndefined, valuesOf } from '#lib/json.ts'
import { type normaliseFrames, normaliseStacktrace } from './frames.ts'
import { truncateText, truncateTree } from './truncate.ts'

const maxExceptions = 50
const maxThreads = 200
const limits = { depth: 4, text: 1024, total: 8192 }

type ReadFrames = typeof normaliseFrames

/** The chain of exceptions, cause first. A longer chain loses its causes. */
export function normaliseExceptions(value: unknown, readFrames: ReadFrames) {
  const exceptions = valuesOf(value).slice(-maxExceptions)

  return exceptions.length > 0 ? { values: exceptions.map(exception => normaliseException(exception, readFrames)) } : undefined
}

export function normaliseThreads(value: unknown, readFrames: ReadFrames) {
  const threads = valuesOf(value).slice(0, maxThreads)

  return threads.length > 0 ? { values: threads.map(thread => normaliseStack(thread, readFrames)) } : undefined
}

function normaliseException({ type, value, ...rest }: Json, readFrames: ReadFrames) {
  const exception = normaliseStack(rest, readFrames)
  const typeName = textOrUndefined(type)
  const message = typeof value === 'object' && value !== null ? JSON.stringify(truncateTree(value, limits)) : textOrUndefined(value)

  if (typeName) exception.type = truncateText(typeName, 1024)
  if (message) exception.value = truncateText(message, 8192)

  return exception
}

/** An exception or a thread: both have stack traces. */
function normaliseStack({ stacktrace, raw_stacktrace, ...rest }: Json, readFrames: ReadFrames) {
  const stack = truncateTree(rest, { ...limits, total: 32_768 }) as Json
  const trace = normaliseStacktrace(stacktrace, readFrames)
  const rawTrace = normaliseStacktrace(raw_stacktrace, readFrames)

  for (const key in stack) if (stack[key] === null) delete stack[key]
  if (trace) stack.stacktrace = trace
  if (rawTrace) stack.raw_stacktrace = rawTrace

  return stack
}
