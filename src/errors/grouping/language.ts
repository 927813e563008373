import type { Json } from '#lib/json.ts'

/** Removes parts of frames that depend on the run, the build or the browser rather than on the code. */
export interface Language {
  /** A runtime-internal frame, which other runtimes omit from the same stack. */
  isNoise?: (frame: Json) => boolean
  /** Empty for an anonymous function. */
  functionName: (name: string) => string
  /** Empty if the file identifies the frame better. */
  moduleName?: (name: string, frame: Json) => string
  /** Without directories; empty when the file differs between runs. */
  fileName?: (path: string, frame: Json) => string
  /** Whether the source line of a frame is reliable. */
  hasSource?: (frame: Json) => boolean
}
