import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chapters } from './statements/specification.ts'
import { resultOf, type Section, type Statement, textOf } from './statements/statement.ts'

/** What the specification says, which test proves it, and whether it holds: a document in Markdown. */
export async function describeSpecification() {
  const testOf = await findTests()

  return `# Specification

What clients can rely on, statement by statement. \`npm test -- test/specification\` runs a test named after each.

Written by \`npm run fix\` from \`test/specification/statements\`.
${chapters.map(({ title, sections }) => `\n## ${title}\n${sections.map(section => describe(section, testOf(section))).join('')}`).join('')}`
}

function describe({ title, statements }: Section, test: string) {
  const rows = Object.entries<Statement>(statements).map(
    ([name, statement]) => `| ${cell(name)} | ${cell(textOf(statement))} | ${cell(resultOf(statement))} |\n`
  )

  return `
### ${title}

Test: [\`${test}\`](../test/specification/${test})

| What | Statement | Result |
|---|---|---|
${rows.join('')}`
}

function cell(text: string) {
  return text.replaceAll('|', '\\|')
}

/** The file that proves each section. */
async function findTests() {
  const folder = import.meta.dirname
  const exported = await Promise.all(
    readdirSync(join(folder, 'statements')).map(file => import(`./statements/${file}`) as Promise<Record<string, unknown>>)
  )
  const names = new Map(exported.flatMap(module => Object.entries(module)).map(([name, section]) => [section, name]))
  const files = readdirSync(folder).filter(file => file.endsWith('.test.ts'))
  const proofs = new Map(
    files.flatMap(file =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\bprove\(\s*t,\s*(\w+)/g)].map(([, name]) => [name, file] as const)
    )
  )

  return (section: Section) => proofs.get(names.get(section)!)!
}
