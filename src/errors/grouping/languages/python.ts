import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

/** Names such as `<lambda>` are stable. */
export const python: Language = {
  functionName: name => name,
  // Notebooks renumber their cells at every run.
  fileName: memoizeName(path => basename(path).replace(/^<(ipython-input|timed exec)-.*/s, '<$1>')),
  hasSource: () => true
}
