import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { conventions } from '#api/conventions.ts'
import { openApp, type WorldOptions } from '../support/world.ts'

/** The application with a few routes more, under the same conventions, at /api/v4/test. */
export async function openConventionalApp(t: Test, routes: FastifyPluginAsyncTypebox, options: WorldOptions = {}) {
  const world = await openApp(t, { ...options, isPrivate: true })

  await world.app.register(
    async app => {
      await conventions(app)
      await app.register(routes)
    },
    { prefix: '/api/v4/test' }
  )

  const ask = async (method: InjectOptions['method'], url: string, rest: InjectOptions = {}) => {
    const response = await world.app.inject({ method, url: `/api/v4/test${url}`, ...rest })
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== ''

    return { status: response.statusCode, headers: response.headers, text: response.body, body: isJson ? response.json() : undefined }
  }

  return { ...world, ask }
}
