import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { chapters } from './statements/specification.ts'

t.test('every section is proven in one of these files', async t => {
  const folder = `${import.meta.dirname}/statements`
  const sections = readdirSync(folder).flatMap(file =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/export const (\w+) = \{/g)].map(([, name]) => name!)
  )
  const files = readdirSync(import.meta.dirname).filter(file => file.endsWith('.test.ts'))
  const proven = files.flatMap(file =>
    [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/\bprove\(\s*t,\s*(\w+)/g)].map(([, name]) => name!)
  )

  t.same(sections.sort(), proven.sort())
  t.equal(sections.length, chapters.flatMap(({ sections }) => sections).length)
})
