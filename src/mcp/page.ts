import Type from 'typebox'
import { cursorAt, readPage } from '#api/pagination/page.ts'
import { sections } from '#lib/markdown.ts'
import type { Keyset, Position } from '#platform/database/list.ts'
import { jsonLength, maxResult } from './fit-result.ts'
import { toResult } from './tool.ts'

export const paging = {
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Rows per page; 20 by default.' }))
}

export interface Paging {
  cursor?: string
  limit?: number
}

/** Room for the cursor and the headings of the Markdown. */
const maxRows = maxResult - 5000

/** One page of a list, shorter when its rows are long. `next_cursor` is null on the last page. */
export async function page<Row, Item extends object, P extends Position>(
  { cursor, limit = 20 }: Paging,
  list: Keyset<Row, P>,
  present: (rows: Row[]) => Item[] | Promise<Item[]>
) {
  const { rows: found, hasMore } = await readPage(list, cursor, limit)
  const presented = await present(found)
  const rows = presented.slice(0, countFitting(presented))

  return { rows, next_cursor: hasMore || rows.length < found.length ? cursorAt(list, found[rows.length - 1]!) : null }
}

/** The number of rows that fit, at least one. */
function countFitting(rows: object[]) {
  let length = 0
  let count = 0

  for (const row of rows) {
    length += jsonLength(row)
    if (count > 0 && length > maxRows) break
    count++
  }

  return count
}

/** The result of a tool that lists: the rows under their name, one line of Markdown each, and the cursor. */
export function toList<Name extends string, Item extends object>(
  name: Name,
  { rows, next_cursor }: { rows: Item[]; next_cursor: string | null },
  write: (row: Item) => string,
  none: string
) {
  return toResult({ [name]: rows, next_cursor } as Record<Name, Item[]> & { next_cursor: typeof next_cursor }, data =>
    sections(
      data[name].map(row => write(row)).join('\n') || none,
      data.next_cursor && `There are more: call again with the cursor \`${data.next_cursor}\`.`
    )
  )
}
