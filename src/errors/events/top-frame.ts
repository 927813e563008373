import type { EntityManager } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { findEvent } from './list-events.ts'
import { readPayload } from './payload.ts'
import { type Frame, stackSources } from './stack-trace.ts'

/** Lines before and after the one that failed. */
const around = 3
const maxLength = 200

/** Where an error was thrown in code of one's own. */
export interface TopFrame {
  /** Such as `src/charge.ts:12 in charge`. */
  place: string
  line: number
  /** Empty when the SDK sent no code. */
  code: [line: number, text: string][]
}

/** The innermost frame of one's own code in the latest event; undefined when there is none. */
export async function findTopFrame(em: EntityManager, group: ErrorGroup): Promise<TopFrame | undefined> {
  const row = await findEvent(em, group, 'latest')
  const frames = row ? (stackSources(readPayload(row.payload)).at(-1)?.frames ?? []) : []
  const frame = frames.findLast(({ inApp, context }) => inApp && context.length > 0) ?? frames.findLast(({ inApp }) => inApp)

  return frame?.filename && frame.lineNo !== null ? describe(frame, frame.lineNo) : undefined
}

function describe({ filename, function: name, context }: Frame, line: number): TopFrame {
  return {
    place: `${filename}:${line}${name ? ` in ${name}` : ''}`.slice(0, maxLength),
    line,
    code: context
      .filter(([number]) => Math.abs(number - line) <= around)
      .map(([number, text]): [number, string] => [number, text.slice(0, maxLength)])
  }
}
