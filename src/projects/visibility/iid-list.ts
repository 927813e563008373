import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage, type Sort } from '../../http/pagination/keyset.ts'
import { offsetPage, perPageOf } from '../../http/pagination/offset.ts'
import { BadParameter } from '../../http/problems/problems.ts'
import type { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import type { CounterKind } from '../counters.ts'

/** By what a list can be sorted: the column, what it is compared as, what it is of a row, and the kind of its cursor. */
export interface Column<Row> {
  sql: string
  type: string
  kind: 'id' | 'time' | 'text'
  of: (row: Row) => string | number
  /** The only ones that it can be. */
  words?: readonly string[]
}

interface Listing<Row> {
  table: CounterKind
  conditions: Conditions
  column: Column<Row>
  sort?: Sort
  /** The rows of these ids, in any order. */
  load: (em: EntityManager, ids: number[]) => Promise<Row[]>
}

export type Position = [value: string | number, iid: number]

/** What is numbered within its project, in an order in which every row has its place. */
export function numbered<Row extends { id: number }>(em: EntityManager, { table, conditions, column, sort = 'desc', load }: Listing<Row>) {
  const find = async (sql: string, values: unknown[], limit: number, offset: number) => {
    const rows = await query<{ id: string }>(
      em,
      `SELECT id FROM ${table} WHERE ${sql} ORDER BY ${column.sql} ${sort}, iid ${sort} LIMIT ${limit} OFFSET ${offset}`,
      values
    )

    const ids = rows.map(({ id }) => Number(id))
    const byId = new Map((await load(em, ids)).map(row => [row.id, row]))

    return ids.flatMap(id => byId.get(id) ?? [])
  }

  return {
    list: (limit: number, offset = 0) => find(conditions.sql, conditions.values, limit, offset),
    listAfter(after: Position | undefined, limit: number) {
      if (!after) return find(conditions.sql, conditions.values, limit, 0)
      const [value, iid] = [conditions.values.length + 1, conditions.values.length + 2]
      const beyond = `(${column.sql}, iid) ${sort === 'asc' ? '>' : '<'} ($${value}::${column.type}, $${iid}::bigint)`

      return find(`${conditions.sql} AND ${beyond}`, [...conditions.values, ...after], limit, 0)
    },
    async count(most: number) {
      const sql = `SELECT count(*) FROM (SELECT FROM ${table} WHERE ${conditions.sql} LIMIT ${most}) AS counted`
      const [row] = await query<{ count: string }>(em, sql, conditions.values)

      return Number(row!.count)
    }
  }
}

interface Pages<By extends string, Row extends { id: number }> {
  /** What the rows are called. */
  type: string
  orders: Record<By, Column<Row>>
  open: (orderBy: By, sort?: Sort) => ReturnType<typeof numbered<Row>>
}

/** A page of such a list by number, or by position where the request asks for it. */
export function numberedPage<By extends string, Row extends { id: number; iid: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, orders, open }: Pages<By, Row>
) {
  const { order_by: by = 'created_at' as By, sort, cursor } = request.query as { order_by?: By; sort?: Sort; cursor?: string }

  return isKeyset(request) ? pageByPosition(request, reply, orders, open, cursor) : offsetPage(request, reply, { ...open(by, sort), type })
}

async function pageByPosition<By extends string, Row extends { id: number; iid: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  orders: Record<By, Column<Row>>,
  open: Pages<By, Row>['open'],
  cursor: string | undefined
) {
  const bothWays = Object.fromEntries(Object.keys(orders).map(by => [by, ['desc', 'asc'] as Sort[]]))
  const { by, sort } = keysetOrder(request, bothWays)
  const { kind, of, words } = orders[by as By]
  const after = decodeCursor<Position>(cursor, kind, 'id')

  if (after && words?.includes(String(after[0])) === false) throw new BadParameter('cursor is invalid')
  const rows = await open(by as By, sort).listAfter(after, perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => {
    const value = kind === 'time' ? new Date(of(last)).toISOString() : of(last)

    return { cursor: encodeCursor([value, last.iid]) }
  })
}
