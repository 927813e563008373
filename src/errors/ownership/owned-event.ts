import { type Json, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { type Frame, stackSources } from '../events/stack-trace.ts'
import { framePathsOf } from '../source-links/frame-paths.ts'

/** What rules look at. All but tags is in lower case. */
export interface OwnedEvent {
  /** Of the program's own code, or of all when none is; the innermost first. */
  frames: OwnedFrame[]
  url: string | undefined
  tags: Map<string, string>
}

export interface OwnedFrame {
  /** The names of its file, each with a slash before it. */
  paths: string[]
  module: string | undefined
}

const maxFrames = 20
const maxLength = 500

export function ownedEvent(payload: Json, tags: Iterable<[string, string]>): OwnedEvent {
  const frames = stackSources(payload)
    .flatMap(({ frames }) => frames)
    .reverse()
  const own = frames.filter(({ inApp }) => inApp)

  return {
    frames: (own.length > 0 ? own : frames).slice(0, maxFrames).map(readFrame),
    url: lower(textOrUndefined(objectOrUndefined(payload.request)?.url)),
    tags: new Map(tags)
  }
}

function readFrame(frame: Frame): OwnedFrame {
  const names = [frame.filename, frame.abs_path, ...framePathsOf(frame).map(({ segments }) => segments.join('/'))]
  const paths = names.flatMap(name => (name ? `/${lower(name)!.replace(/^\//, '')}` : []))

  return { paths: [...new Set(paths)], module: lower(frame.module) }
}

function lower(text: string | undefined) {
  return text?.slice(0, maxLength).toLowerCase()
}
