import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core'
import { type AliasableExpression, type AliasedExpression, type Expression, type SqlBool, sql } from 'kysely'
import { parseIsoTime } from '#lib/time.ts'
import type { EntityManager } from './database.ts'
import { countUpTo } from './filter.ts'

export type Sort = 'asc' | 'desc'

/** Rows in an order, read by number. */
export interface Rows<Row> {
  list: (limit: number, offset?: number) => Promise<Row[]>
  /** Counts no further than `max`, if given. */
  count: (max?: number) => Promise<number>
}

/** Where a row stands in an order: the values that the list is sorted by. */
export type Position = (string | number)[]

/** What a value of a position must be; an array has all possible values. */
export type Kind = 'id' | 'time' | 'text' | 'uuid' | readonly string[]

export interface Slice<P extends Position = Position> {
  /** Only rows after it; backwards, only those before it, nearest first. */
  after?: P | undefined
  isBackwards?: boolean
  limit: number
}

/** Rows in an order, read from a position on. */
export interface Keyset<Row, P extends Position = Position> {
  kinds: Kind[]
  positionOf: (row: Row) => P
  read: (slice: Slice<P>) => Promise<Row[]>
}

export interface List<Row> extends Rows<Row>, Keyset<Row> {}

/** What a list can be sorted by. Without `type` and `of`, it has no keyset pages. */
export interface Column<Row> {
  sql: string | Expression<unknown>
  /** The SQL type that the values of cursors are cast to. */
  type?: string
  of?: (row: Row) => string | number | Date | null
  /** What NULL is sorted as. */
  nulls?: Record<Sort, string>
  /** All values, if the type is an enum. */
  values?: readonly string[]
}

export interface Key<Row> extends Column<Row> {
  sort: Sort
}

interface Selection<Query, Row> {
  /** The filtered rows; it may depend on the slice if it contains at least the rows of that. */
  from: Query | ((slice: Slice) => Query)
  /** What they are sorted by; a string is an ascending column. The last key is unique among them. */
  keys: (Key<Row> | string)[]
  /** Executes the query of a page. */
  load: (page: Query, context: LoadContext) => Promise<Row[]>
}

interface LoadContext {
  slice: Slice
  /** Sorts a query around that of the page. */
  inOrder: <Outer extends AnyQuery>(outer: Outer) => Outer
}

/** A query of Kysely. */
interface AnyQuery extends Expression<unknown> {
  where: (condition: Expression<SqlBool>) => unknown
  orderBy: (value: Expression<unknown>, sort: Sort) => unknown
  limit: (limit: number) => unknown
  offset: (offset: number) => unknown
}

/** The list of what a query selects: one declaration for pages by number and by position. */
export function selectList<Query extends AnyQuery, Row>(em: EntityManager, { from, load, ...order }: Selection<Query, Row>): List<Row> {
  const keys = order.keys.map((key): Key<Row> => (typeof key === 'string' ? { sql: key, sort: 'asc' } : key))
  const parts = keys.map(toPart)
  const query = (slice: Slice) => (typeof from === 'function' ? from(slice) : from)
  const read = (slice: Slice, offset = 0) => {
    const { after, isBackwards, limit } = slice
    const directed = isBackwards ? parts.map(part => ({ ...part, sort: opposite[part.sort] })) : parts
    const inOrder = <Outer extends AnyQuery>(outer: Outer) =>
      directed.reduce((sorted, { value, sort }) => sorted.orderBy(value, sort) as Outer, outer)
    const rest = after ? (query(slice).where(isAfter(directed, after)) as Query) : query(slice)
    const page = inOrder(rest).limit(limit) as Query

    return load(offset > 0 ? (page.offset(offset) as Query) : page, { slice, inOrder })
  }

  return {
    list: (limit, offset) => read({ limit }, offset),
    count: (max = Number.MAX_SAFE_INTEGER) => countUpTo(em, query({ limit: max }) as Parameters<typeof countUpTo>[1], max),
    kinds: keys.map(({ type, values }) => values ?? kinds[type!] ?? 'text'),
    positionOf: row => keys.map(key => cursorValue(key, row)),
    read
  }
}

export const opposite = { asc: 'desc', desc: 'asc' } as const
const kinds: Record<string, Kind> = { bigint: 'id', timestamptz: 'time', date: 'time', uuid: 'uuid' }

interface Part {
  value: Expression<unknown>
  type: string
  sort: Sort
}

function toPart<Row>({ sql: given, nulls, type = 'text', sort }: Key<Row>): Part {
  const value = typeof given === 'string' ? sql.ref(given) : given

  return { value: nulls ? sql`coalesce(${value}, ${sql.lit(nulls[sort])})` : value, type, sort }
}

/** Neighbouring keys of one direction are compared as a row, because an index can answer that. */
function isAfter(parts: Part[], position: Position): Expression<SqlBool> {
  const { sort } = parts[0]!
  const end = parts.findIndex(part => part.sort !== sort)
  const run = end === -1 ? parts : parts.slice(0, end)
  const values = sql`(${sql.join(run.map(({ value }) => value))})`
  const given = sql`(${sql.join(run.map(({ type }, n) => sql`${position[n]}::${sql.raw(type)}`))})`
  const isBeyond = sql<SqlBool>`${values} ${sql.raw(sort === 'asc' ? '>' : '<')} ${given}`

  if (end === -1) return isBeyond

  return sql<SqlBool>`(${isBeyond} OR (${values} = ${given} AND ${isAfter(parts.slice(end), position.slice(end))}))`
}

function cursorValue<Row>({ of, nulls, sort, type }: Key<Row>, row: Row) {
  const value = of!(row) ?? nulls![sort]

  if (type === 'bigint') return Number(value)
  if (typeof value === 'string' && (kinds[type!] !== 'time' || parseIsoTime(value))) return value

  return new Date(value).toISOString()
}

/** The orders that have keyset pages. */
export function keysetOrders<By extends string, Row>(columns: Record<By, Column<Row>>) {
  const names = (Object.keys(columns) as By[]).filter(by => columns[by].of)

  return Object.fromEntries(names.map(by => [by, ['desc', 'asc']])) as Partial<Record<By, Sort[]>>
}

interface Selectable<Row> {
  select: (expression: AliasedExpression<Row, 'row'>) => unknown
}

/** Executes a query whose rows are one expression each. */
export async function selectAs<Row>(query: Selectable<Row>, expression: AliasableExpression<Row>) {
  const rows = await (query.select(expression.as('row')) as { execute: () => Promise<{ row: Row }[]> }).execute()

  return rows.map(({ row }) => row)
}

/** Loads rows by their ids, which `load` may return in any order. */
export function byId<Row extends { id: number }>(load: (ids: number[]) => Promise<Row[]>, id = 'id') {
  return async (page: Selectable<string | number>) => {
    const ids = (await selectAs(page, sql.ref<string | number>(id))).map(Number)

    return inOrderOf(ids, await load(ids))
  }
}

export function inOrderOf<Row extends { id: number }>(ids: number[], rows: Row[]) {
  const rowsById = new Map(rows.map(row => [row.id, row]))

  return ids.flatMap(id => rowsById.get(id) ?? [])
}

/** Entities by number, the oldest first unless ordered otherwise. */
export function entityRows<Entity extends object, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
  options: FindOptions<NoInfer<Entity>, Hint> = {}
): Rows<Entity> {
  const orderBy = options.orderBy ?? ({ id: 'asc' } as never)

  return {
    list: (limit, offset = 0) => em.find(entity, where as never, { ...options, orderBy, limit, offset }) as Promise<Entity[]>,
    count: () => em.fork().count(entity, where as never)
  }
}

/** Entities in the order of their ids, by number or position, the newest first. */
export function entityList<Entity extends { id: number }, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
  { sort = 'desc', ...options }: FindOptions<NoInfer<Entity>, Hint> & { sort?: Sort | undefined } = {}
): List<Entity> {
  return {
    ...entityRows(em, entity, where, { ...options, orderBy: { id: sort } as never }),
    kinds: ['id'],
    positionOf: ({ id }) => [id],
    read({ after, isBackwards, limit }) {
      const direction = isBackwards ? opposite[sort] : sort
      const rest = after ? { $and: [where, { id: { [direction === 'asc' ? '$gt' : '$lt']: after[0] } }] } : where

      return em.find(entity, rest as never, { ...options, orderBy: { id: direction } as never, limit }) as Promise<Entity[]>
    }
  }
}

/** The rows of a list as something else, a page at a time. */
export function mapRows<Row, Other>({ list, count }: Rows<Row>, map: (rows: Row[]) => Other[] | Promise<Other[]>): Rows<Other> {
  return { list: async (limit, offset) => map(await list(limit, offset)), count }
}

/** A list that is in memory. */
export function rowsInMemory<Row>(rows: Row[]): Rows<Row> {
  return { list: async (limit, offset = 0) => rows.slice(offset, offset + limit), count: async () => rows.length }
}
