import { textOrEmpty } from '#lib/json.ts'
import { truncateStorable } from '#lib/storable-text.ts'
import { crashFrame, type GroupingInput, mainException } from './grouping-input.ts'

/** The title of a group (`name: description` has at most 250 characters for an exception); `actor` is Sentry's culprit. */
export interface Title {
  name: string
  description: string
  actor: string
  /** Whether it is a message instead of an exception. */
  isMessage: boolean
}

const maxTitle = 250
const maxMessage = 1000
const maxActor = 300
const anonymousFunctions = new Set(['?', '<anonymous>'])

export function readTitle(input: GroupingInput): Title {
  const main = mainException(input)
  const actor = truncateStorable(input.transaction || crashLocation(input), maxActor)

  if (main) {
    const name = truncateStorable(firstLine(main.type), maxTitle - 50)

    return { name, description: truncateStorable(firstLine(main.value), maxTitle - name.length - 2), actor, isMessage: false }
  }
  const message = input.text || (input.exceptions.at(-1)?.value ?? '')

  return {
    name: truncateStorable(firstLine(message), maxTitle) || 'Error',
    description: truncateStorable(message, maxMessage),
    actor,
    isMessage: true
  }
}

/** The crash frame, as in `shop.cart in pay`. */
function crashLocation(input: GroupingInput) {
  const frame = crashFrame(input)
  const place = textOrEmpty(frame.module) || textOrEmpty(frame.filename) || textOrEmpty(frame.abs_path)
  const functionName = textOrEmpty(frame.function)
  const name = anonymousFunctions.has(functionName) ? '' : functionName

  return place && name ? `${place} in ${name}` : place || name
}

function firstLine(text: string) {
  const start = text.trimStart()
  const end = start.indexOf('\n')

  return (end === -1 ? start : start.slice(0, end)).trimEnd()
}
