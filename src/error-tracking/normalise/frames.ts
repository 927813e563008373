import { asList, asObject, asText, type Json } from './json.ts'
import { truncateStorable, truncateTree } from './truncate.ts'

/** Of endless recursion the beginning and the end tell enough. */
const mostFrames = 250
const outerFrames = 50

type Reader = (given: unknown) => unknown

const name = text(1024)
const line = text(512)

const members = new Map<string, Reader>([
  ['function', name],
  ['raw_function', name],
  ['module', name],
  ['filename', name],
  ['abs_path', name],
  ['package', name],
  ['platform', name],
  ['lineno', asInteger],
  ['colno', asInteger],
  ['in_app', given => (typeof given === 'boolean' ? given : undefined)],
  ['context_line', line],
  ['pre_context', lines],
  ['post_context', lines],
  ['vars', given => (typeof given === 'object' ? truncateTree(given, { depth: 7, text: 1024, total: 32_768 }) : undefined)]
])

/** A stack trace with its frames outermost first; of too many the middle is left out, and told. */
export function readStacktrace(given: unknown): Json | undefined {
  const trace = Array.isArray(given) ? { frames: given } : asObject(given)

  if (!trace) return undefined
  const { frames: all, ...others } = trace
  const frames = asList(all).filter(asObject) as Json[]
  const missing = frames.length - mostFrames
  const kept = missing > 0 ? [...frames.slice(0, outerFrames), ...frames.slice(outerFrames + missing)] : frames

  return {
    ...(truncateTree(others, { depth: 4, text: 1024, total: 8192 }) as Json),
    ...(missing > 0 && { frames_omitted: [outerFrames, outerFrames + missing] }),
    frames: kept.map(readFrame)
  }
}

function readFrame(given: Json) {
  const frame: Json = {}

  for (const key in given) {
    if (key === '__proto__') continue
    const value = (members.get(key) ?? readOther)(given[key])

    if (value !== undefined) frame[key] = value
  }

  return frame
}

function readOther(given: unknown) {
  return given === null ? undefined : truncateTree(given, { depth: 4, text: 1024, total: 4096 })
}

function text(longest: number): Reader {
  return given => {
    const known = asText(given)

    return known && truncateStorable(known, longest)
  }
}

// Browsers' one-line bundles and the like are cut, indentation is not.
function lines(given: unknown) {
  const known = asList(given)

  return known.length > 0 ? known.slice(0, 20).map(each => line(each) ?? '') : undefined
}

function asInteger(given: unknown) {
  const number = typeof given === 'string' && given !== '' ? Number(given) : given

  return Number.isSafeInteger(number) ? number : undefined
}
