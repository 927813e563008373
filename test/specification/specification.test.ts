import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { chapters } from '../../src/http/specification/specification.ts'
import { openApp } from '../support/world.ts'

t.test('every section is proven in one of these files', async t => {
  const folder = `${import.meta.dirname}/../../src/http/specification`
  const sections = readdirSync(folder).flatMap(file =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/export const (\w+) = \{/g)].map(([, name]) => name!)
  )
  const proven = readdirSync(import.meta.dirname).flatMap(file =>
    [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/\bprove\(\s*t,\s*(\w+)/g)].map(([, name]) => name!)
  )

  t.same(sections.sort(), proven.sort())
  t.equal(sections.length, chapters.flatMap(({ sections }) => sections).length)
})

t.test('a page lists every statement with its state in this version', async t => {
  for (const [version, state] of [
    ['16.11', 'Takes effect in 17.0'],
    ['18.0', 'In effect since 17.0']
  ] as const) {
    const { app } = await openApp(t, { env: { SERVICE_VERSION: version } })
    const { statusCode, body } = await app.inject('/help/specification')
    const rows = chapters.flatMap(({ sections }) => sections.flatMap(({ statements }) => Object.keys(statements)))

    t.equal(statusCode, 200)
    t.equal(body.match(/<tr>\s*<td>/g)!.length, rows.length)
    t.ok(body.includes(state), version)
    t.match(body, /merged_by[\s\S]{0,300}Not applicable: There are no merge requests/)
  }
})
