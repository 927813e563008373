import { deepFreeze, isObject, type Json, listOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { truncateText, truncateTree } from './truncate.ts'

/** The middle of a deeper stack, such as endless recursion, is omitted. */
const maxFrames = 250
const outerFrames = 50

type Normalise = (value: unknown) => unknown

const name = text(1024)
const sourceLine = text(512)
const otherLimits = { depth: 4, text: 1024, total: 4096 }

const fields = new Map<string, Normalise>([
  ['function', name],
  ['raw_function', name],
  ['module', name],
  ['filename', name],
  ['abs_path', name],
  ['package', name],
  ['platform', name],
  ['lineno', integer],
  ['colno', integer],
  ['in_app', value => (typeof value === 'boolean' ? value : undefined)],
  ['context_line', sourceLine],
  ['pre_context', sourceLines],
  ['post_context', sourceLines],
  ['vars', value => (typeof value === 'object' ? truncateTree(value, { depth: 7, text: 1024, total: 32_768 }) : undefined)]
])

/** A stack trace with its outermost frame first. `frames_omitted` has the range that is missing from a deep one. */
export function normaliseStacktrace(value: unknown, readFrames: typeof normaliseFrames): Json | undefined {
  const trace = Array.isArray(value) ? { frames: value } : objectOrUndefined(value)

  if (!trace) return undefined
  const { frames: sent, ...rest } = trace
  const list = listOrEmpty(sent)
  const omitted = list.length > maxFrames ? list.filter(isObject).length - maxFrames : 0

  return {
    ...(truncateTree(rest, { ...otherLimits, total: 8192 }) as Json),
    ...(omitted > 0 && { frames_omitted: [outerFrames, outerFrames + omitted] }),
    frames: readFrames(list)
  }
}

export function normaliseFrames(list: unknown[]): Json[] {
  const frames = list.filter(isObject)
  const omitted = frames.length - maxFrames
  const included = omitted > 0 ? [...frames.slice(0, outerFrames), ...frames.slice(outerFrames + omitted)] : frames

  return included.map(normaliseFrame)
}

/** Memoizes normalised lists of cached frames, which are frozen because events share them (see FrameCache). */
export function memoizeFrames(): typeof normaliseFrames {
  const normalised = new WeakMap<unknown[], Json[]>()

  return list => {
    if (!Object.isFrozen(list)) return normaliseFrames(list)
    const frames = normalised.get(list) ?? deepFreeze(normaliseFrames(list))

    normalised.set(list, frames)

    return frames
  }
}

function normaliseFrame(sent: Json) {
  const frame: Json = {}

  for (const key in sent) {
    if (key === '__proto__') continue
    const value = (fields.get(key) ?? other)(sent[key])

    if (value !== undefined) frame[key] = value
  }

  return frame
}

function other(value: unknown) {
  return value === null ? undefined : truncateTree(value, otherLimits)
}

function text(maxLength: number): Normalise {
  return value => {
    const text = textOrUndefined(value)

    return text && truncateText(text, maxLength)
  }
}

/** Keeps indentation; only the length is limited, for one-line bundles. */
function sourceLines(value: unknown) {
  const lines = listOrEmpty(value)

  return lines.length > 0 ? lines.slice(0, 20).map(line => sourceLine(line) ?? '') : undefined
}

function integer(value: unknown) {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value

  return Number.isSafeInteger(number) ? number : undefined
}
