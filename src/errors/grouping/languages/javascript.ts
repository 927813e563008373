import { type Json, textOrEmpty } from '#lib/json.ts'
import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

/** Engines' names for code without a file; only some engines list such frames. */
const internalFiles = new Set(['[native code]', 'native code', 'native', '<anonymous>', 'eval code', '[eval]', '[as]'])
/** Engines' names for anonymous functions, in lower case. */
const anonymousNames = new Set(['', '?', 'anonymous', 'anonymous function', 'global code', 'eval code', 'module code', 'eval', 'unknown'])
/** Most names need no cleaning. */
const plainName = /^(?!anonymous$|eval$|unknown$)[\w$]{1,200}$/
const modifiers = /^(?:(?:async|new|get|set|static|bound) )+/
const scriptExtension = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const browserUrl = /^(?:https?|file|blob|capacitor|ionic|app):/i

/** Browsers and Node: function names differ between engines, and file names between builds. */
export const javascript: Language = {
  isNoise: frame =>
    internalFiles.has(textOrEmpty(frame.filename)) || internalFiles.has(textOrEmpty(frame.abs_path)) || isEval(textOrEmpty(frame.function)),
  functionName: name => (plainName.test(name) ? name : functionName(name)),
  // A module that the SDK derived from the URL adds nothing to the file name.
  moduleName: (name, frame) => (name.includes('/') && textOrEmpty(frame.abs_path).endsWith(name) ? '' : name),
  fileName: (path, frame) => (isFromBrowser(frame) ? scriptName(path) : fileName(path)),
  // Engines report different lines for a call that spans several.
  hasSource: frame => !isFromBrowser(frame)
}

function isEval(name: string) {
  return name === 'eval' || name === 'eval code'
}

function isFromBrowser(frame: Json) {
  return browserUrl.test(textOrEmpty(frame.abs_path)) || browserUrl.test(textOrEmpty(frame.filename))
}

const fileName = memoizeName(path => withoutHashes(basename(path)))

/** The URL of a page, such as of an inline script, does not identify the code. */
const scriptName = memoizeName(path => {
  const name = basename(path.replace(/[?#].*/s, ''))

  return scriptExtension.test(name) ? withoutHashes(name) : ''
})

/** `index-DiwrgTda.js`, `main.3f2a1b9c.chunk.js` and `app-1.2.3.js` are builds of the same file. */
function withoutHashes(name: string) {
  return name
    .replace(/-(?=[\w-]{0,7}[A-Z\d])[\w-]{8}(\.[cm]?js)$/, '-*$1')
    .replace(/^\d+(?=\.)|(?<![A-Za-z0-9])(?:\d+(?:\.\d+)+|(?=[a-f]{0,64}\d)[0-9a-f]{6,64})(?![A-Za-z0-9])/g, '*')
}

const functionName = memoizeName(sent => {
  const name = bareName(sent)

  return anonymousNames.has(name.toLowerCase()) ? '' : name
})

/** Chrome: `async Foo.pay [as call]`; Firefox: `promise callback*outer/inner<`; Safari: `pay@https://…`; Edge: `Foo.prototype.pay`. */
function bareName(sent: string) {
  const [alias] = /(?<=\[as )[\w$.]{1,200}(?=\])/.exec(sent) ?? ['']
  const withoutLocation = sent.replace(/ [[(].*| ?@.*/s, '')
  const innermost = after(after(withoutLocation, '*'), '/')
  const unmarked = innermost.endsWith('<') ? innermost.slice(0, -1) : innermost

  // Bundlers name a module's function after its file.
  if (scriptExtension.test(unmarked)) return unmarked
  const name = after(unmarked.replace(modifiers, ''), '.').replace(modifiers, '')

  return name.startsWith('<') ? alias! : name
}

function after(text: string, separator: string) {
  return text.slice(text.lastIndexOf(separator) + 1)
}
