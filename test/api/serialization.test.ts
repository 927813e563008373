import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import t from 'tap'
import { buildApp } from '#app.ts'
import { openWorld } from '../support/world.ts'

t.test('the response schemas of all routes compile', async t => {
  const { platform } = await openWorld(t, { isPrivate: true })
  let compiled = 0
  const buildSerializer: ReturnType<typeof SerializerSelector> = (...options) => {
    const compile = SerializerSelector()(...options)

    return route => {
      compiled++

      return compile(route)
    }
  }
  const app = await buildApp(platform, { schemaController: { compilersFactory: { buildSerializer } } })

  t.teardown(() => app.close())
  await app.ready()
  t.ok(compiled > 500, `${compiled} schemas`)
})
