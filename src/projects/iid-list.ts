import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { decodeCursor, encodeCursor, isKeyset, keysetOrder, keysetPage, type Sort } from '#api/pagination/keyset.ts'
import { offsetPage, perPageOf } from '#api/pagination/offset.ts'
import { BadParameter } from '#api/problems/problems.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { countUpTo } from '#platform/database/filter.ts'
import type { CounterKind } from './counter-store.ts'

/** What a list can be sorted by. */
export type Column<Row> = KeysetColumn<Row> | OffsetColumn

/** Only offset pages can be sorted by it. */
interface OffsetColumn {
  sql: RawBuilder<unknown>
  nulls?: Record<Sort, string>
}

interface KeysetColumn<Row> {
  sql: string
  /** The SQL type that cursor values are cast to. */
  type: string
  kind: 'id' | 'time' | 'text'
  read: (row: Row) => string | number | null
  /** What NULL is sorted as. */
  nulls?: Record<Sort, string>
  /** The valid cursor values, if limited. */
  values?: readonly string[]
}

interface ListOptions<Row> {
  table: CounterKind
  where: Expression<unknown>
  column: Column<Row>
  /** Breaks ties in the order; unique among the rows. */
  tie?: 'iid' | 'id'
  sort?: Sort
  /** Loads rows in any order. */
  load: (em: EntityManager, ids: number[]) => Promise<Row[]>
}

type Position = [value: string | number, tie: number]

/** Lists rows that have an iid. */
export function listByIid<Row extends { id: number }>(
  em: EntityManager,
  { table, where, column, tie = 'iid', sort = 'desc', load }: ListOptions<Row>
) {
  const sortedBy = typeof column.sql === 'string' ? sql.raw(column.sql) : column.sql
  const value = column.nulls ? sql`coalesce(${sortedBy}, ${sql.lit(column.nulls[sort])})` : sortedBy
  const rows = em.getKysely<Record<CounterKind, { id: number; iid: number }>>().selectFrom(table).where(sql<boolean>`${where}`)
  const ordered = rows.select('id').orderBy(value, sort).orderBy(tie, sort)

  return {
    list: (limit: number, offset = 0) => loadInOrder(em, ordered.limit(limit).offset(offset), load),
    listAfter(after: Position | undefined, limit: number) {
      if (!after || !isKeysetColumn(column)) return loadInOrder(em, ordered.limit(limit), load)
      const isAfter = sql<boolean>`(${value}, ${sql.ref(tie)}) ${sql.raw(sort === 'asc' ? '>' : '<')} (${after[0]}::${sql.raw(column.type)}, ${after[1]}::bigint)`

      return loadInOrder(em, ordered.where(isAfter).limit(limit), load)
    },
    count: (max: number) => countUpTo(em, rows, max)
  }
}

function isKeysetColumn<Row>(column: Column<Row>): column is KeysetColumn<Row> {
  return 'read' in column
}

async function loadInOrder<Row extends { id: number }>(
  em: EntityManager,
  query: { execute: () => Promise<{ id: number }[]> },
  load: ListOptions<Row>['load']
) {
  const ids = (await query.execute()).map(({ id }) => id)
  const byId = new Map((await load(em, ids)).map(row => [row.id, row]))

  return ids.flatMap(id => byId.get(id) ?? [])
}

interface PageOptions<By extends string, Row extends { id: number }> {
  /** The type of the rows, for error messages. */
  type: string
  orders: Record<By, Column<Row>>
  tie?: 'iid' | 'id'
  open: (orderBy: By, sort?: Sort) => ReturnType<typeof listByIid<Row>>
}

/** An offset page of such a list, or a keyset page if the request asks for it. */
export function iidPage<By extends string, Row extends { id: number; iid: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, orders, tie = 'iid', open }: PageOptions<By, Row>
) {
  const { order_by: by = 'created_at' as By, sort, cursor } = request.query as { order_by?: By; sort?: Sort; cursor?: string }

  return isKeyset(request)
    ? iidKeysetPage(request, reply, { orders, tie, open }, cursor)
    : offsetPage(request, reply, { ...open(by, sort), type })
}

async function iidKeysetPage<By extends string, Row extends { id: number; iid: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { orders, tie, open }: Required<Omit<PageOptions<By, Row>, 'type'>>,
  cursor: string | undefined
) {
  const columns = new Map(
    Object.entries<Column<Row>>(orders).flatMap(([by, column]) => (isKeysetColumn(column) ? [[by, column] as const] : []))
  )
  const { by, sort } = keysetOrder(request, Object.fromEntries([...columns.keys()].map(by => [by, ['desc', 'asc'] as Sort[]])))
  const { kind, read, nulls, values } = columns.get(by)!
  const after = decodeCursor<Position>(cursor, kind, 'id')

  if (after && values?.includes(String(after[0])) === false) throw new BadParameter('cursor is invalid')
  const rows = await open(by as By, sort).listAfter(after, perPageOf(request.query) + 1)

  return keysetPage(request, reply, rows, last => {
    const given = read(last) ?? nulls![sort]
    const value = kind === 'time' ? new Date(given).toISOString() : given

    return { cursor: encodeCursor([value, last[tie]]) }
  })
}
