import { readStacktrace } from './frames.ts'
import { asText, asValues, type Json } from './json.ts'
import { truncateText, truncateTree } from './truncate.ts'

/** Of a longer chain the outermost ones are kept, which come last. */
const mostExceptions = 50
const mostThreads = 200

/** The chain of exceptions, from the cause to the outermost. */
export function readExceptions(given: unknown) {
  const values = asValues(given).slice(-mostExceptions)

  return values.length > 0 ? { values: values.map(readException) } : undefined
}

export function readThreads(given: unknown) {
  const values = asValues(given).slice(0, mostThreads)

  return values.length > 0 ? { values: values.map(readStacked) } : undefined
}

function readException({ type, value, ...others }: Json) {
  const exception = readStacked(others)
  const kind = asText(type)
  const words = typeof value === 'object' && value !== null ? JSON.stringify(truncateTree(value, tight)) : asText(value)

  if (kind) exception.type = truncateText(kind, 1024)
  if (words) exception.value = truncateText(words, 8192)

  return exception
}

const tight = { depth: 4, text: 1024, total: 8192 }

/** What has a stack: an exception or a thread. */
function readStacked({ stacktrace, raw_stacktrace, ...others }: Json) {
  const stacked = truncateTree(others, { ...tight, total: 32_768 }) as Json
  const trace = readStacktrace(stacktrace)
  const rawTrace = readStacktrace(raw_stacktrace)

  for (const key in stacked) if (stacked[key] === null) delete stacked[key]
  if (trace) stacked.stacktrace = trace
  if (rawTrace) stacked.raw_stacktrace = rawTrace

  return stacked
}
