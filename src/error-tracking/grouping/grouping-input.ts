import { type Json, objectOrEmpty, textOrEmpty, valuesOf } from '../../lib/json.ts'

/** What an event tells of its problem; what it does not tell is empty. */
export interface GroupingInput {
  platform: string
  /** From the cause to the outermost, which is the one people name. */
  exceptions: Exception[]
  /** Of the event itself, or of its only thread that has any. */
  frames: unknown[]
  /** What was said, before it was filled in where the SDK tells that. */
  template: string
  /** What was said, as people read it. */
  text: string
  level: string
  logger: string
  transaction: string
  event: Json
}

export interface Exception {
  type: string
  value: string
  /** The SDK made the exception up, and its type with it. */
  isSynthetic: boolean
  frames: unknown[]
}

const mostExceptions = 50
const mostFrames = 256

/** Reads an event in any of the shapes that SDKs give it. */
export function readGroupingInput(event: Json): GroupingInput {
  const message = objectOrEmpty(event.message)
  const logentry = objectOrEmpty(event.logentry)
  const plain = textOrEmpty(event.message) || textOrEmpty(event.logentry)

  return {
    platform: textOrEmpty(event.platform),
    exceptions: valuesOf(event.exception).slice(-mostExceptions).map(readException),
    frames: onlyStack(event),
    template:
      textOrEmpty(logentry.message) ||
      textOrEmpty(message.message) ||
      plain ||
      textOrEmpty(logentry.formatted) ||
      textOrEmpty(message.formatted),
    text:
      textOrEmpty(logentry.formatted) ||
      textOrEmpty(message.formatted) ||
      plain ||
      textOrEmpty(logentry.message) ||
      textOrEmpty(message.message),
    level: textOrEmpty(event.level) || 'error',
    logger: textOrEmpty(event.logger),
    transaction: textOrEmpty(event.transaction) || textOrEmpty(event.culprit),
    event
  }
}

/** The exception that gives the problem its name, unless it has none itself: SDKs wrap messages that way. */
export function mainException({ exceptions }: GroupingInput) {
  const main = exceptions.at(-1)

  return main?.type ? main : undefined
}

/** Where it happened: the innermost frame of our own, or of all. */
export function crashFrame(evidence: GroupingInput): Json {
  const ofException = evidence.exceptions.at(-1)?.frames ?? []
  const frames = ofException.length > 0 ? ofException : evidence.frames

  return objectOrEmpty(frames.findLast(frame => objectOrEmpty(frame).in_app === true) ?? frames.at(-1))
}

function readException(given: unknown): Exception {
  const exception = objectOrEmpty(given)

  return {
    type: textOrEmpty(exception.type),
    value: textOrEmpty(exception.value),
    isSynthetic: objectOrEmpty(exception.mechanism).synthetic === true,
    frames: framesOf(exception.stacktrace)
  }
}

/** Of several threads nobody knows which one is meant. */
function onlyStack(event: Json) {
  const own = framesOf(event.stacktrace)

  if (own.length > 0 || !event.threads) return own
  const stacks = valuesOf(event.threads)
    .map(thread => framesOf(objectOrEmpty(thread).stacktrace))
    .filter(frames => frames.length > 0)

  return stacks.length === 1 ? stacks[0]! : []
}

function framesOf(stacktrace: unknown): unknown[] {
  const frames = Array.isArray(stacktrace) ? stacktrace : objectOrEmpty(stacktrace).frames

  if (!Array.isArray(frames)) return []

  return frames.length > mostFrames ? frames.slice(-mostFrames) : frames
}
