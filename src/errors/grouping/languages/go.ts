import { textOrEmpty } from '#lib/json.ts'
import type { Language } from '../language.ts'
import { memoizeName, stripSuffixes } from '../names.ts'

/** Closures are numbered within their function, so a new one renames those after it. */
const closureNumber = /\.(?:func|gowrap|deferwrap)?\d+$/

export const go: Language = {
  functionName: memoizeName(name => {
    const functionName = name.slice(packageOf(name).length).replaceAll('[...]', '').replace(/-fm$/, '')

    return stripSuffixes(functionName, closureNumber)
  }),
  moduleName: (name, frame) => moduleName(name || packageOf(textOrEmpty(frame.function)).slice(0, -1))
}

const moduleName = memoizeName(name => name.replace(/@v[\w.+-]+/, ''))

/** The package of `github.com/acme/shop.(*Cart).Pay`, up to the dot; older SDKs send it with the function. */
function packageOf(name: string) {
  const end = name.search(/[([]/)
  const slash = name.lastIndexOf('/', end === -1 ? name.length : end)
  const dot = slash === -1 ? -1 : name.indexOf('.', slash)

  return name.slice(0, dot + 1)
}
