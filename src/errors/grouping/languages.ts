import type { Language } from './language.ts'
import { go } from './languages/go.ts'
import { java } from './languages/java.ts'
import { javascript } from './languages/javascript.ts'
import { native } from './languages/native.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { ruby } from './languages/ruby.ts'

const fallback: Language = { functionName: name => name }

const byPlatform = new Map<string, Language>([
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
  return byPlatform.get(platform) ?? fallback
}
