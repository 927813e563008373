import { textOrEmpty } from '../../../lib/json.ts'
import type { Language } from '../language.ts'
import { memoizeName, stripSuffixes } from '../names.ts'

/** Closures are counted within their function, so that one more above renames all below. */
const counted = /\.(?:func|gowrap|deferwrap)?\d+$/

export const go: Language = {
  functionName: memoizeName(name => {
    const own = name.slice(packageOf(name).length).replaceAll('[...]', '').replace(/-fm$/, '')

    return stripSuffixes(own, counted)
  }),
  moduleName: (name, frame) => moduleName(name || packageOf(textOrEmpty(frame.function)).slice(0, -1))
}

const moduleName = memoizeName(name => name.replace(/@v[\w.+-]+/, ''))

/** Of `github.com/acme/shop.(*Cart).Pay`, up to the dot; older SDKs leave it before the name. */
function packageOf(name: string) {
  const end = name.search(/[([]/)
  const slash = name.lastIndexOf('/', end === -1 ? name.length : end)
  const dot = slash === -1 ? -1 : name.indexOf('.', slash)

  return name.slice(0, dot + 1)
}
