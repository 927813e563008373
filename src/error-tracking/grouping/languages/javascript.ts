import { type Json, textOrEmpty } from '../../../lib/json.ts'
import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

/** What engines call code that lies in no file; some list it where others do not. */
const nowhere = new Set(['[native code]', 'native code', 'native', '<anonymous>', 'eval code', '[eval]', '[as]'])
/** What engines call functions without a name, lower-cased. */
const nameless = new Set(['', '?', 'anonymous', 'anonymous function', 'global code', 'eval code', 'module code', 'eval', 'unknown'])
/** Nothing to clean: by far the most. */
const plainName = /^(?!anonymous$|eval$|unknown$)[\w$]{1,200}$/
const adjectives = /^(?:(?:async|new|get|set|static|bound) )+/
const script = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const addresses = /^(?:https?|file|blob|capacitor|ionic|app):/i

/** Browsers and Node: the same code has other names in each engine, and other file names in each build. */
export const javascript: Language = {
  isNoise: frame =>
    nowhere.has(textOrEmpty(frame.filename)) || nowhere.has(textOrEmpty(frame.abs_path)) || isEval(textOrEmpty(frame.function)),
  functionName: name => (plainName.test(name) ? name : functionName(name)),
  // Taken from an address, where it says no more than the file.
  moduleName: (name, frame) => (name.includes('/') && textOrEmpty(frame.abs_path).endsWith(name) ? '' : name),
  fileName: (path, frame) => (isFromBrowser(frame) ? scriptName(path) : fileName(path)),
  // Engines do not agree on the line of a call that spans several.
  hasSource: frame => !isFromBrowser(frame)
}

function isEval(name: string) {
  return name === 'eval' || name === 'eval code'
}

function isFromBrowser(frame: Json) {
  return addresses.test(textOrEmpty(frame.abs_path)) || addresses.test(textOrEmpty(frame.filename))
}

const fileName = memoizeName(path => withoutHashes(basename(path)))

/** A page's own address tells where somebody was, not which code it was. */
const scriptName = memoizeName(path => {
  const name = basename(path.replace(/[?#].*/s, ''))

  return script.test(name) ? withoutHashes(name) : ''
})

/** `index-DiwrgTda.js`, `main.3f2a1b9c.chunk.js` and `app-1.2.3.js` are other builds of the same. */
function withoutHashes(name: string) {
  return name
    .replace(/-(?=[\w-]{0,7}[A-Z\d])[\w-]{8}(\.[cm]?js)$/, '-*$1')
    .replace(/^\d+(?=\.)|(?<![A-Za-z0-9])(?:\d+(?:\.\d+)+|(?=[a-f]{0,64}\d)[0-9a-f]{6,64})(?![A-Za-z0-9])/g, '*')
}

const functionName = memoizeName(given => {
  const name = ownName(given)

  return nameless.has(name.toLowerCase()) ? '' : name
})

/** Chrome: `async Foo.pay [as call]`; Firefox: `promise callback*outer/inner<`; Safari: `pay@https://…`; Edge: `Foo.prototype.pay`. */
function ownName(given: string) {
  const [alias] = /(?<=\[as )[\w$.]{1,200}(?=\])/.exec(given) ?? ['']
  const name = given.replace(/ [[(].*| ?@.*/s, '')
  const innermost = after(after(name, '*'), '/')
  const bare = innermost.endsWith('<') ? innermost.slice(0, -1) : innermost

  // A bundle's module is a function with the name of a file.
  if (script.test(bare)) return bare
  const own = after(bare.replace(adjectives, ''), '.').replace(adjectives, '')

  return own.startsWith('<') ? alias! : own
}

function after(text: string, separator: string) {
  return text.slice(text.lastIndexOf(separator) + 1)
}
