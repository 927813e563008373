import { type Json, listOrEmpty, objectOrEmpty, textOrEmpty, valuesOf } from '#lib/json.ts'
import { parameterise } from './parameterise.ts'
import { isRuntimeFrame } from './runtime-frames.ts'
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
  /** Whether it only collects others, such as those of parallel tasks. */
  isGroup: boolean
  id: unknown
  /** The id of the group that it is a member of. */
  groupId: unknown
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

/**
 * The exception that names the group: the last one, or what a group of exceptions consists of when all of them are alike. Undefined when
 * it has no type, as SDKs wrap messages that way.
 */
export function mainException({ exceptions }: GroupingInput) {
  let main = exceptions.at(-1)

  // Groups may contain groups. Each level has other exceptions.
  for (let n = 0; main?.isGroup && n < exceptions.length; n++) {
    const members: Exception[] = exceptions.filter(({ groupId }) => groupId === main!.id)
    const [first, ...others] = members

    if (!first || others.some(other => !isAlike(first, other))) break
    main = members.at(-1)!
  }

  return main?.type ? main : undefined
}

/** Raised by the same function. */
function isAlike(one: Exception, other: Exception) {
  const [frame, otherFrame] = [one, other].map(({ frames }) => objectOrEmpty(frames.at(-1))) as [Json, Json]

  return one.type === other.type && ['module', 'filename', 'function'].every(name => frame[name] === otherFrame[name])
}

/** The innermost frame of the program, or else of a library, or else of the runtime; never of the SDK. */
export function crashFrame(input: GroupingInput): Json {
  const exceptionFrames = (mainException(input) ?? input.exceptions.at(-1))?.frames ?? []
  const frames = (exceptionFrames.length > 0 ? exceptionFrames : input.frames).map(objectOrEmpty)
  const isLibrary = (frame: Json) => !isSdkFrame(frame) && !isRuntimeFrame(frame)

  return frames.findLast(isOwnFrame) ?? frames.findLast(isLibrary) ?? frames.findLast(frame => !isSdkFrame(frame)) ?? {}
}

/** Whether a frame is the program's own, and not of the SDK or the runtime, which some SDKs take for it. */
export function isOwnFrame(frame: Json) {
  return frame.in_app === true && !isSdkFrame(frame) && !isRuntimeFrame(frame)
}

function readException({ type, value, mechanism: sent, stacktrace }: Json): Exception {
  const mechanism = objectOrEmpty(sent)

  return {
    type: textOrEmpty(type),
    value: textOrEmpty(value),
    isSynthetic: mechanism.synthetic === true,
    frames: framesOf(stacktrace),
    isGroup: mechanism.is_exception_group === true,
    id: mechanism.exception_id,
    // Causes name their parent as well: as `__cause__`, not as `exceptions[0]`.
    groupId: textOrEmpty(mechanism.source).endsWith(']') ? mechanism.parent_id : undefined
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
