import { type Json, objectOrEmpty, textOrEmpty } from '../../lib/json.ts'
import { isShared, share } from '../parse/shared-values.ts'
import { type Language, languageOf } from './languages.ts'
import { basename, memoizeName } from './names.ts'

/** What a stack says of a problem: in our own code alone, and in all. */
export interface Trace {
  app: string
  system: string
}

const longestLine = 120
const noFiles = new Set(['<anonymous>', '<unknown>', '[native code]', 'native code', 'unknown source', 'native method', ''])

/** Of frames that events share, and the platform they were read for. */
const known = new WeakMap<unknown[], Trace & { platform: string }>()

export function readTrace(frames: unknown[], platform: string): Trace {
  const before = known.get(frames)

  if (before?.platform === platform) return before
  const trace = { ...readNewTrace(frames, platform), platform }

  if (isShared(frames)) known.set(frames, share(trace))

  return trace
}

/** Frame by frame; what calls itself again and again counts once, for the depth is chance. */
function readNewTrace(frames: unknown[], platform: string): Trace {
  const language = languageOf(platform)
  const system = new Lines()
  const app = new Lines()

  for (const given of frames) {
    const frame = objectOrEmpty(given)
    const own = typeof frame.platform === 'string' ? languageOf(frame.platform) : language
    if (own.isNoise?.(frame)) continue
    const name = functionOf(frame, own)
    const place = moduleOf(frame, own) || fileOf(frame, own)
    const source = own.hasSource?.(frame) ? sourceOf(frame) : ''
    if (!place && !name && !source) continue

    system.add(place, name, source)
    if (frame.in_app === true) app.add(place, name, source)
  }

  return { app: app.text, system: system.text }
}

/** Module or file, function, and the line of source, never its number; a line that repeats the one before is left out. */
class Lines {
  text = ''
  #place = ''
  #name = ''
  #source = ''

  add(place: string, name: string, source: string) {
    if (place === this.#place && name === this.#name && source === this.#source) return
    this.text += `${place}\t${name}\t${source}\n`
    this.#place = place
    this.#name = name
    this.#source = source
  }
}

/** The name of a frame's function, as it is the same in every run. */
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

  return noFiles.has(name) ? '' : name
})

/** A longer line is a bundle's, or was cut by the SDK. */
function sourceOf(frame: Json) {
  const line = textOrEmpty(frame.context_line)

  if (line === '' || line.length > 4 * longestLine) return ''
  const words = line.trim()
  const source = words.includes('  ') || words.includes('\t') ? words.replace(/\s+/g, ' ') : words

  return source.length > longestLine || source.includes('{snip}') ? '' : source
}
