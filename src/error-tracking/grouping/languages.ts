import type { Json } from '../../lib/json.ts'
import { go } from './languages/go.ts'
import { java } from './languages/java.ts'
import { javascript } from './languages/javascript.ts'
import { native } from './languages/native.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { ruby } from './languages/ruby.ts'

/** What in a frame depends on the run, the build or the browser rather than on the code, and how to do without it. */
export interface Language {
  /** A frame of the machinery, which others leave out of the same stack. */
  isNoise?: (frame: Json) => boolean
  /** The function's name; empty for one that has none. */
  functionName: (name: string) => string
  /** The module's name; empty where the file tells more. */
  moduleName?: (name: string, frame: Json) => string
  /** The file's name without its folders; empty for none that lasts. */
  fileName?: (path: string, frame: Json) => string
  /** Whether the line of source beside a frame can be trusted. */
  hasSource?: (frame: Json) => boolean
}

const plain: Language = { functionName: name => name }

const languages = new Map<string, Language>([
  ['javascript', javascript],
  ['node', javascript],
  ['python', python],
  ['php', php],
  ['ruby', ruby],
  ['java', java],
  ['go', go],
  ['native', native],
  ['c', native],
  ['cocoa', native],
  ['objc', native],
  ['swift', native],
  ['rust', native]
])

export function languageOf(platform: string): Language {
  return languages.get(platform) ?? plain
}
