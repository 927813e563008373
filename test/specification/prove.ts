import type { Test } from 'tap'
import type { Section } from './statements/statement.ts'

/** TypeScript refuses a statement without a proof. */
type Proofs<S extends Section> = { [Name in keyof S['statements']]: (t: Test) => unknown }

/** A test for each statement of a section, named after it. */
export function prove<S extends Section>(t: Test, { title }: S, proofs: Proofs<S>) {
  for (const [name, proof] of Object.entries<(t: Test) => unknown>(proofs)) {
    t.test(`${title}: ${name}`, async t => void (await proof(t)))
  }
}

/** Proofs that a record has fields of these values, or values that pass these tests. */
export function fields<Name extends string>(record: Record<string, unknown>, expected: Record<Name, unknown>) {
  const proofs = Object.entries(expected).map(([name, value]) => {
    const proof = (t: Test) => {
      if (typeof value === 'function') t.ok(value(record[name]), `${name} is ${JSON.stringify(record[name])}`)
      else if (value instanceof RegExp) t.match(record[name], value)
      else t.strictSame(record[name], value)
    }

    return [name, proof]
  })

  return Object.fromEntries(proofs) as Record<Name, (t: Test) => void>
}
