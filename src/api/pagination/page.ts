import { InvalidInput } from '#lib/refusals.ts'
import { parseIsoTime } from '#lib/time.ts'
import type { Keyset, Kind, Position, Rows } from '#platform/database/list.ts'

export interface Page<Row> {
  rows: Row[]
  hasMore: boolean
  /** Cursors of the pages around it, if there are any. */
  previous?: string | undefined
  next?: string | undefined
}

export const emptyPage: Page<never> = { rows: [], hasMore: false }

/** A page by its number, from 1. */
export async function readNumbered<Row>({ list }: Pick<Rows<Row>, 'list'>, page: number, perPage: number): Promise<Page<Row>> {
  return cut(await list(perPage + 1, (page - 1) * perPage), perPage)
}

/** The page at a cursor, or the first one. */
export async function readPage<Row, P extends Position>(
  list: Keyset<Row, P>,
  cursor: string | undefined,
  perPage: number
): Promise<Page<Row>> {
  const after = decodeCursor<P>(cursor, ...list.kinds)
  const page = cut(await list.read({ after, limit: perPage + 1 }), perPage)

  return { ...page, next: page.hasMore ? cursorAt(list, page.rows.at(-1)!) : undefined }
}

/** The page at a cursor that contains its direction, or the first one. */
export async function readTwoWayPage<Row, P extends Position>(
  list: Keyset<Row, P>,
  cursor: string | undefined,
  perPage: number
): Promise<Page<Row>> {
  const [direction, ...position] = decodeCursor(cursor, directions, ...list.kinds) ?? []
  const isBackwards = direction === 'before'
  const found = await list.read({ after: direction ? (position as Position as P) : undefined, isBackwards, limit: perPage + 1 })
  const { rows, hasMore } = cut(found, perPage)

  if (isBackwards) rows.reverse()
  const cursorTo = (direction: string, row: Row | undefined) => row && encodeCursor([direction, ...list.positionOf(row)])

  return {
    rows,
    hasMore,
    previous: (isBackwards ? hasMore : direction) ? cursorTo('before', rows[0]) : undefined,
    next: isBackwards || hasMore ? cursorTo('after', rows.at(-1)) : undefined
  }
}

const directions = ['after', 'before']

/** One row more than a page was read. */
function cut<Row>(found: Row[], perPage: number): Page<Row> {
  return { rows: found.slice(0, perPage), hasMore: found.length > perPage }
}

/** The cursor of the page that begins after a row. */
export function cursorAt<Row, P extends Position>(list: Keyset<Row, P>, row: Row) {
  return encodeCursor(list.positionOf(row))
}

/** Encodes a position as a URL-safe cursor. */
export function encodeCursor(position: unknown[]) {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes and validates a cursor; 400 when it is not one of ours. */
export function decodeCursor<P extends Position = Position>(cursor: string | undefined, ...kinds: Kind[]) {
  if (!cursor) return undefined

  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as P
    if (Array.isArray(position) && position.length === kinds.length && kinds.every((kind, n) => isOf(kind, position[n]))) return position
  } catch {}

  throw new InvalidInput('cursor is invalid')
}

function isOf(kind: Kind, given: unknown) {
  return typeof kind === 'string' ? checks[kind](given) : kind.includes(given as string)
}

const checks = {
  time: (given: unknown) => typeof given === 'string' && parseIsoTime(given) !== undefined,
  id: (given: unknown) => Number.isSafeInteger(given),
  text: (given: unknown) => typeof given === 'string' && given.length <= 1000 && !given.includes('\0'),
  uuid: (given: unknown) => typeof given === 'string' && /^[0-9a-f-]{36}$/.test(given)
}
