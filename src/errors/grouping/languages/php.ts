import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

/** Names of anonymous classes contain a file and an address; PHP 8.4 puts the line into the name of a closure. */
export const php: Language = {
  functionName: memoizeName(name => {
    if (name.includes('{closure')) return '{closure}'
    if (name.startsWith('[Anonymous')) return ''
    if (!name.includes('@anonymous')) return name
    const method = name.lastIndexOf('::')

    return `@anonymous${method === -1 ? '' : name.slice(method)}`
  }),
  fileName: memoizeName(path => (path === '[internal]' ? '' : basename(path))),
  hasSource: () => true
}
