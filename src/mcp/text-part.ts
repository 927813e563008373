import Type from 'typebox'
import { codeBlock, endOfLine, sections } from '#lib/markdown.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { jsonLength, maxResult } from './fit-result.ts'
import { toResult } from './tool.ts'

/** Room for the ids around the text. */
const maxPart = maxResult - 2000

/** The arguments of tools that return one part of their result in full, in several calls if it is long. */
export function partOf<Name extends string>(...names: Name[]) {
  return {
    part: Type.Optional(Type.Enum(names, { description: 'Returns only this part, in full.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Where to continue with a long part: its `next_offset`.' })
    )
  }
}

interface Part {
  part: string
  text: string | undefined
  offset?: number
}

/** The text from the offset on, as far as it fits. */
export function showPart(ids: object, { part, text = '', offset: start = 0 }: Part) {
  if (start > text.length) throw new InvalidInput(`offset is beyond the end, at ${text.length}`)
  const rest = text.slice(start)
  let end = endOfLine(rest, maxPart)

  // JSON needs up to six characters for one, and the fence of a code block as many as the text has backticks.
  while (Math.max(jsonLength(rest.slice(0, end)), codeBlock(rest.slice(0, end)).length) > maxPart)
    end = endOfLine(rest, Math.floor(end * 0.75))
  const next = start + end < text.length ? start + end : null

  return toResult({ ...ids, part, text: rest.slice(0, end), length: text.length, next_offset: next }, data =>
    sections(
      `${part}, characters ${start} to ${start + end} of ${data.length}`,
      data.text ? codeBlock(data.text) : 'It is empty.',
      data.next_offset !== null && `There is more: call again with the offset ${data.next_offset}.`
    )
  )
}

/** Without a part there is nothing to continue with. */
export function requirePart({ offset }: { offset?: number }) {
  if (offset !== undefined) throw new InvalidInput('offset requires part')
}
