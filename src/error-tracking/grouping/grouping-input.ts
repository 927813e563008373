import { asObject, asText, asValues, type Json } from './json.ts'

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
  const message = asObject(event.message)
  const logentry = asObject(event.logentry)
  const plain = asText(event.message) || asText(event.logentry)

  return {
    platform: asText(event.platform),
    exceptions: asValues(event.exception).slice(-mostExceptions).map(readException),
    frames: onlyStack(event),
    template: asText(logentry.message) || asText(message.message) || plain || asText(logentry.formatted) || asText(message.formatted),
    text: asText(logentry.formatted) || asText(message.formatted) || plain || asText(logentry.message) || asText(message.message),
    level: asText(event.level) || 'error',
    logger: asText(event.logger),
    transaction: asText(event.transaction) || asText(event.culprit),
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

  return asObject(frames.findLast(frame => asObject(frame).in_app === true) ?? frames.at(-1))
}

function readException(given: unknown): Exception {
  const exception = asObject(given)

  return {
    type: asText(exception.type),
    value: asText(exception.value),
    isSynthetic: asObject(exception.mechanism).synthetic === true,
    frames: framesOf(exception.stacktrace)
  }
}

/** Of several threads nobody knows which one is meant. */
function onlyStack(event: Json) {
  const own = framesOf(event.stacktrace)

  if (own.length > 0 || !event.threads) return own
  const stacks = asValues(event.threads)
    .map(thread => framesOf(asObject(thread).stacktrace))
    .filter(frames => frames.length > 0)

  return stacks.length === 1 ? stacks[0]! : []
}

function framesOf(stacktrace: unknown): unknown[] {
  const frames = Array.isArray(stacktrace) ? stacktrace : asObject(stacktrace).frames

  if (!Array.isArray(frames)) return []

  return frames.length > mostFrames ? frames.slice(-mostFrames) : frames
}
