import type { FastifyInstance } from 'fastify'
import { rootToken } from '../../support/world.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Calls Sentry's API, as `sentry-cli` does. */
export function sentryClient(app: FastifyInstance, token = rootToken) {
  return async (method: Method, path: string, payload?: object, headers: Record<string, string> = {}) => {
    const url = `/api/0/${path}`
    const response = await app.inject({ method, url, payload, headers: { authorization: `Bearer ${token}`, ...headers } })

    return { status: response.statusCode, headers: response.headers, body: response.body && response.json() }
  }
}

/** The next cursor, if the `Link` header says that there are further rows. */
export function nextCursor(headers: Record<string, unknown>) {
  const [, results, cursor] = /rel="next"; results="(\w+)"; cursor="([^"]*)"/.exec(String(headers.link)) ?? []

  return results === 'true' ? cursor : undefined
}

/** Reads all pages of a list. */
export async function readPages(ask: ReturnType<typeof sentryClient>, path: string) {
  const rows = []

  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { headers, body } = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`)

    rows.push(...body)
    cursor = nextCursor(headers)
  }

  return rows
}
