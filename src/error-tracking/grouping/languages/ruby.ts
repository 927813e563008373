import type { Language } from '../languages.ts'

export const ruby: Language = {
  functionName: name => {
    const method = name.replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '').replace(/__+\d+_\d+$/, '')

    // Ruby 3.4 writes the class before it: Shop::Order#place.
    return method.startsWith('<') ? method : method.slice(Math.max(method.lastIndexOf('#'), method.lastIndexOf('.')) + 1) || method
  },
  fileName: basename => (basename.startsWith('(eval') ? '(eval)' : basename),
  hasSource: () => true
}
