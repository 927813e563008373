import { RE2JS } from 're2js'

/**
 * RE2 compiles and matches in linear time, but repetitions multiply an expression: 4,200 characters took 1.2 s to compile, and 200
 * took 3.8 s to match. Within these bounds, it is at most some 60 ms and 80 ms.
 */
const maxLength = 1000
const maxRepetitions = 1000
const maxInstructions = 2000

/** Undefined for an expression that is invalid or too large. */
export function compileBounded(text: string) {
  if (text.length > maxLength || repetitionsIn(text) > maxRepetitions) return undefined
  try {
    const regex = RE2JS.compile(text)

    return regex.programSize() > maxInstructions ? undefined : regex
  } catch {
    return undefined
  }
}

function repetitionsIn(text: string) {
  return Array.from(text.matchAll(/\{(?:\d{1,9},)?(\d{1,9})/g), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
}
