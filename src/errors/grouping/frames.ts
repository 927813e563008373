import { type Json, objectOrEmpty, textOrEmpty } from '#lib/json.ts'
import type { Language } from './language.ts'
import { languageOf } from './languages.ts'
import { basename, memoizeName } from './names.ts'

/** The grouping text of a stack: of its app frames, and of all frames. */
export interface Trace {
  app: string
  system: string
  /** On memoized traces: the variants of events with them, by exception. */
  variants?: Map<string, Variants>
}

/** The grouping text of an event: from its app frames (empty without any), and from all frames. */
export interface Variants {
  app: string
  system: string
  /** Computed on first use, and shared like the variants themselves. */
  hashes?: [Buffer, ...Buffer[]]
}

const maxSourceLength = 120
const unknownFiles = new Set(['<anonymous>', '<unknown>', '[native code]', 'native code', 'unknown source', 'native method', ''])

/** Memoizes traces of cached frames, which are frozen because events share them (see FrameCache). */
export function memoizeTraces(): typeof readTrace {
  const traces = new WeakMap<unknown[], Trace & { platform: string }>()

  return (frames, platform) => {
    const cached = traces.get(frames)

    if (cached?.platform === platform) return cached
    if (!Object.isFrozen(frames)) return readTrace(frames, platform)
    const trace = { ...readTrace(frames, platform), variants: new Map(), platform }

    traces.set(frames, trace)

    return trace
  }
}

export function readTrace(frames: unknown[], platform: string): Trace {
  const defaultLanguage = languageOf(platform)
  const system = new TraceText()
  const app = new TraceText()

  for (const element of frames) {
    const frame = objectOrEmpty(element)
    const language = typeof frame.platform === 'string' ? languageOf(frame.platform) : defaultLanguage
    if (language.isNoise?.(frame)) continue
    const place = moduleOf(frame, language) || fileOf(frame, language)
    const name = functionOf(frame, language)
    const source = language.hasSource?.(frame) ? sourceOf(frame) : ''
    if (!place && !name && !source) continue

    system.add(place, name, source)
    if (frame.in_app === true) app.add(place, name, source)
  }

  return { app: app.text, system: system.text }
}

/** Lines of module or file, function and source, without line numbers. Recursion counts once, because its depth is random. */
class TraceText {
  text = ''
  #last = ''

  add(place: string, name: string, source: string) {
    const line = `${place}\t${name}\t${source}\n`

    if (line === this.#last) return
    this.text += line
    this.#last = line
  }
}

/** The function's name without parts that differ between runs. */
export function functionOf(frame: Json, language: Language) {
  const name = textOrEmpty(frame.function)

  return name && language.functionName(name)
}

function moduleOf(frame: Json, language: Language) {
  const module = textOrEmpty(frame.module)

  return language.moduleName ? language.moduleName(module, frame) : module
}

function fileOf(frame: Json, language: Language) {
  const path = textOrEmpty(frame.filename) || textOrEmpty(frame.abs_path)

  return path && fileName(language.fileName?.(path, frame) ?? path)
}

const fileName = memoizeName(path => {
  const name = basename(path).toLowerCase()

  return unknownFiles.has(name) ? '' : name
})

/** Longer lines are of bundles or were truncated by the SDK. */
function sourceOf(frame: Json) {
  const line = textOrEmpty(frame.context_line)

  if (line === '' || line.length > 4 * maxSourceLength) return ''
  const trimmed = line.trim()
  const source = trimmed.includes('  ') || trimmed.includes('\t') ? trimmed.replace(/\s+/g, ' ') : trimmed

  return source.length > maxSourceLength || source.includes('{snip}') ? '' : source
}
