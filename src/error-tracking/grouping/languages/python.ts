import type { Language } from '../language.ts'
import { basename, memoizeName } from '../names.ts'

/** `<lambda>` and `<listcomp>` are all the name there is, and the same each time. */
export const python: Language = {
  functionName: name => name,
  // Notebooks number their cells anew at every run.
  fileName: memoizeName(path => basename(path).replace(/^<(ipython-input|timed exec)-.*/s, '<$1>')),
  hasSource: () => true
}
