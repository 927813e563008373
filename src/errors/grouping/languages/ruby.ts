import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

export const ruby: Language = {
  functionName: memoizeName(name => {
    const method = name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '').replace(/(?<!_)__+\d+_\d+$/, '')

    // Ruby 3.4 adds the class: Shop::Order#place.
    return method.startsWith('<') ? method : method.slice(Math.max(method.lastIndexOf('#'), method.lastIndexOf('.')) + 1) || method
  }),
  fileName: memoizeName(path => (path.startsWith('(eval') ? '(eval)' : basename(path))),
  hasSource: () => true
}
