import { asObject, asText, type Json } from './json.ts'
import { type Language, languageOf } from './languages.ts'

/** What a stack says of a problem: in our own code alone, and in all. */
export interface Trace {
  app: string
  system: string
}

const longestName = 512
const longestLine = 120
const noFiles = new Set(['<anonymous>', '<unknown>', '[native code]', 'native code', 'unknown source', 'native method', ''])

/** Frame by frame; what calls itself again and again counts once, for the depth is chance. */
export function readTrace(frames: unknown[], platform: string): Trace {
  const language = languageOf(platform)
  let app = ''
  let system = ''
  let lastOfApp = ''
  let last = ''

  for (const given of frames) {
    const frame = asObject(given)
    const part = readFrame(frame, typeof frame.platform === 'string' ? languageOf(frame.platform) : language)

    if (part === '') continue
    if (part !== last) system += part
    last = part
    if (frame.in_app !== true) continue
    if (part !== lastOfApp) app += part
    lastOfApp = part
  }

  return { app, system }
}

/** The name of a frame's function, as it is the same in every run. */
export function functionOf(frame: Json, language: Language) {
  const name = asText(frame.function)

  return name && language.functionName(shortened(name))
}

/** Module or file, function, and the line of source; never its number. */
function readFrame(frame: Json, language: Language) {
  if (language.isNoise?.(frame)) return ''
  const name = functionOf(frame, language)
  const place = moduleOf(frame, language) || fileOf(frame, language)
  const source = language.hasSource?.(frame) ? sourceOf(frame) : ''

  return place || name || source ? `${place}\t${name}\t${source}\n` : ''
}

function moduleOf(frame: Json, language: Language) {
  const module = shortened(asText(frame.module))

  return language.moduleName ? language.moduleName(module, frame) : module
}

function fileOf(frame: Json, language: Language) {
  const path = asText(frame.filename) || asText(frame.abs_path)
  const basename = shortened(path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1))
  const name = (language.fileName ? language.fileName(basename, frame) : basename).toLowerCase()

  return noFiles.has(name) ? '' : name
}

/** A longer line is a bundle's, or was cut by the SDK. */
function sourceOf(frame: Json) {
  const line = asText(frame.context_line)

  if (line === '' || line.length > 4 * longestLine) return ''
  const words = line.trim()
  const source = /\s\s|[\t\n\r]/.test(words) ? words.replace(/\s+/g, ' ') : words

  return source.length > longestLine || source.includes('{snip}') ? '' : source
}

function shortened(name: string) {
  return name.length > longestName ? name.slice(0, longestName) : name
}
