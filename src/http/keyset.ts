import type { FastifyReply, FastifyRequest } from 'fastify'
import { BadParameter } from './problems.ts'

/** Where a page ended, as text that survives being put into an address and taken out again. */
export function encodeCursor(position: unknown[]) {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

const shapes = {
  time: (given: unknown) => typeof given === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(given) && !Number.isNaN(Date.parse(given)),
  id: (given: unknown) => Number.isSafeInteger(given),
  uuid: (given: unknown) => typeof given === 'string' && /^[0-9a-f-]{36}$/.test(given)
}

/** The position a cursor stands for; one that was not made here is the caller's mistake. */
export function decodeCursor<Position extends unknown[]>(cursor: string | undefined, ...shape: (keyof typeof shapes)[]) {
  if (!cursor) return undefined

  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Position
    if (position.length === shape.length && shape.every((kind, n) => shapes[kind](position[n]))) return position
  } catch {}

  throw new BadParameter('cursor is invalid')
}

/** Cuts the one row too many that tells there is a next page, and says where that is. */
export function paged<Row>(request: FastifyRequest, reply: FastifyReply, rows: Row[], perPage: number, position: (last: Row) => unknown[]) {
  if (rows.length <= perPage) return rows
  const page = rows.slice(0, perPage)
  const next = new URL(request.url, request.server.platform.config.baseUrl)

  next.searchParams.set('cursor', encodeCursor(position(page.at(-1)!)))
  for (const secret of ['private_token', 'access_token']) next.searchParams.delete(secret)
  reply.header('link', `<${next.href}>; rel="next"`)

  return page
}
