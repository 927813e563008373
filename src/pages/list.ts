import type { FastifyRequest } from 'fastify'
import { readNumbered, readTwoWayPage } from '#api/pagination/page.ts'
import type { Keyset, Position, Rows } from '#platform/database/list.ts'
import { html } from './layout/html.ts'

export const perPage = 25
const maxNumber = 2000

/** The number of a page, as in its address; the first one when that is nonsense. */
export function pageNumber(given: unknown) {
  return Math.min(maxNumber, Math.max(1, Number.parseInt(String(given), 10) || 1))
}

/** The page whose number is in the address. */
export async function numberedPage<Row>({ query }: FastifyRequest, rows: Pick<Rows<Row>, 'list'>, size = perPage) {
  return pageAt(rows, pageNumber((query as { page?: unknown }).page), size)
}

/** A page, and the numbers of those before and after. */
export async function pageAt<Row>(list: Pick<Rows<Row>, 'list'>, number: number, size = perPage) {
  const { rows, hasMore } = await readNumbered(list, number, size)

  return { rows, number, previous: number > 1 ? number - 1 : undefined, next: hasMore ? number + 1 : undefined }
}

/** The page at a cursor, and the cursors of those before and after. */
export function cursorPage<Row, P extends Position>(list: Keyset<Row, P>, cursor: string | undefined) {
  return readTwoWayPage(list, cursor, perPage)
}

interface Around<To> {
  previous?: To | undefined
  next?: To | undefined
}

/** The address of a list with its filters and the place of a page, except for defaults. */
export function listAddress(path: string, query: object, defaults: object = {}) {
  const given = Object.entries(query).filter(([name, value]) => value !== undefined && value !== defaults[name as keyof object])
  const search = new URLSearchParams(Object.fromEntries(given)).toString()

  return `${path}${search && `?${search}`}`
}

/** The number of a page, and the addresses of the others, where one page has several lists. */
export interface Links {
  number: number
  url: (number: number) => string
}

/** Links to the pages before and after. */
export function pager<To>({ previous, next }: Around<To>, url: (to: To) => string, [before, after] = ['Previous', 'Next']) {
  if (!previous && !next) return undefined

  return html`
    <nav class="pages" aria-label="Pages">
      ${previous && html`<a class="button plain small" rel="prev" href="${url(previous)}">${before}</a>`}
      ${next && html`<a class="button plain small" rel="next" href="${url(next)}">${after}</a>`}
    </nav>`
}

/** Labels for lists by time, newest first. */
export const byTime: [string, string] = ['Newer', 'Older']
