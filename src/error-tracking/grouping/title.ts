import { textOrEmpty } from '../../lib/json.ts'
import { crashFrame, type GroupingInput, mainException } from './grouping-input.ts'

/** What a group is called (`name: description` is at most 250 characters for an exception), and where it happened. */
export interface Title {
  name: string
  description: string
  actor: string
}

const longestTitle = 250
const longestMessage = 1000
const longestActor = 300
/** What engines call a function without a name. */
const nameless = new Set(['?', '<anonymous>'])

export function readTitle(evidence: GroupingInput): Title {
  const main = mainException(evidence)
  const actor = cut(evidence.transaction || culprit(evidence), longestActor)

  if (main) {
    const name = cut(firstLine(main.type), longestTitle - 50)

    return { name, description: cut(firstLine(main.value), longestTitle - name.length - 2), actor }
  }
  const message = evidence.text || (evidence.exceptions.at(-1)?.value ?? '')

  return { name: cut(firstLine(message), longestTitle) || 'Error', description: cut(message, longestMessage), actor }
}

/** `shop.cart in pay`, as far as the innermost frame of our own tells. */
function culprit(evidence: GroupingInput) {
  const frame = crashFrame(evidence)
  const place = textOrEmpty(frame.module) || textOrEmpty(frame.filename) || textOrEmpty(frame.abs_path)
  const given = textOrEmpty(frame.function)
  const name = nameless.has(given) ? '' : given

  return place && name ? `${place} in ${name}` : place || name
}

function firstLine(text: string) {
  const start = text.trimStart()
  const end = start.indexOf('\n')

  return (end === -1 ? start : start.slice(0, end)).trimEnd()
}

/** Postgres takes neither null bytes nor half of a surrogate pair. */
function cut(text: string, length: number) {
  const short = text.length > length ? `${text.slice(0, length - 1)}…` : text

  return short.replaceAll('\0', '').toWellFormed()
}
