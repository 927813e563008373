import { isObject, type Json } from '../../lib/json.ts'
import { compileRules, type ScrubRules } from './rules.ts'
import { scrub } from './scrub.ts'

/** An event in JSON as it would be stored with these rules; undefined when the text is not a JSON object. */
export function previewScrubbing(text: string, rules: ScrubRules) {
  const event = parseObject(text)

  return event && JSON.stringify(scrub(event, compileRules(rules)).event, undefined, 2)
}

function parseObject(text: string): Json | undefined {
  try {
    const value = JSON.parse(text)

    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
