import { type Json, listOrEmpty, objectOrEmpty, textOrEmpty, valuesOf } from '#lib/json.ts'
import { parameterise } from './parameterise.ts'
import { isSdkFrame } from './sdk-frames.ts'

/** The parts of a normalised event that grouping reads. Missing texts are empty. */
export interface GroupingInput {
  platform: string
  /** Cause first; the last one names the group. */
  exceptions: Exception[]
  /** Frames of the event's stack trace, or of its only thread with one. */
  frames: unknown[]
  /** The message before its parameters were filled in, if the SDK sends it. */
  template: string
  /** The formatted message. */
  text: string
  level: string
  logger: string
  transaction: string
  event: Json
  /** Replaces what varies in a message. */
  parameterise: (text: string) => string
}

export interface Exception {
  type: string
  value: string
  /** Created by the SDK, with a meaningless type. */
  isSynthetic: boolean
  frames: unknown[]
}

export function readGroupingInput(event: Json): GroupingInput {
  const { message, formatted } = objectOrEmpty(event.logentry)

  return {
    platform: textOrEmpty(event.platform),
    exceptions: valuesOf(event.exception).map(readException),
    frames: readFrames(event),
    template: textOrEmpty(message) || textOrEmpty(formatted),
    text: textOrEmpty(formatted) || textOrEmpty(message),
    level: textOrEmpty(event.level) || 'error',
    logger: textOrEmpty(event.logger),
    transaction: textOrEmpty(event.transaction),
    event,
    parameterise
  }
}

/** The exception that names the group; undefined when it has no type, as SDKs wrap messages that way. */
export function mainException({ exceptions }: GroupingInput) {
  const main = exceptions.at(-1)

  return main?.type ? main : undefined
}

/** The innermost app frame, or else the innermost frame, of other code than the SDK's. */
export function crashFrame(input: GroupingInput): Json {
  const exceptionFrames = input.exceptions.at(-1)?.frames ?? []
  const frames = exceptionFrames.length > 0 ? exceptionFrames : input.frames
  const isOwn = (frame: unknown) => !isSdkFrame(objectOrEmpty(frame))

  return objectOrEmpty(frames.findLast(frame => objectOrEmpty(frame).in_app === true && isOwn(frame)) ?? frames.findLast(isOwn))
}

function readException({ type, value, mechanism, stacktrace }: Json): Exception {
  return {
    type: textOrEmpty(type),
    value: textOrEmpty(value),
    isSynthetic: objectOrEmpty(mechanism).synthetic === true,
    frames: framesOf(stacktrace)
  }
}

/** With stack traces of several threads, the relevant one is unknown. */
function readFrames(event: Json) {
  const frames = framesOf(event.stacktrace)

  if (frames.length > 0 || !event.threads) return frames
  const stacks = valuesOf(event.threads)
    .map(({ stacktrace }) => framesOf(stacktrace))
    .filter(frames => frames.length > 0)

  return stacks.length === 1 ? stacks[0]! : []
}

/** For a deep stack, only the innermost frames: those after the omitted ones. */
function framesOf(stacktrace: unknown) {
  const { frames, frames_omitted: omitted } = objectOrEmpty(stacktrace)
  const [outer] = listOrEmpty(omitted)

  return Number.isSafeInteger(outer) ? listOrEmpty(frames).slice(outer as number) : listOrEmpty(frames)
}
