import type { Json } from '../../lib/json.ts'

/** Removes from frames what depends on the run, the build or the browser rather than on the code. */
export interface Language {
  /** A frame of the runtime, which other runtimes leave out of the same stack. */
  isNoise?: (frame: Json) => boolean
  /** Empty for an anonymous function. */
  functionName: (name: string) => string
  /** Empty where the file says more. */
  moduleName?: (name: string, frame: Json) => string
  /** Without directories; empty when the file differs between runs. */
  fileName?: (path: string, frame: Json) => string
  /** Whether the source line of a frame is reliable. */
  hasSource?: (frame: Json) => boolean
}
