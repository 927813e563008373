import t from 'tap'
import { matchesGlob } from '#lib/glob.ts'

const cases: [pattern: string, text: string, isMatch: boolean][] = [
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['a*', 'abc', true],
  ['a*', 'ba', false],
  ['*c', 'abc', true],
  ['*c', 'cab', false],
  ['*b*', 'abc', true],
  ['*b*', 'ac', false],
  ['a*c', 'ac', true],
  ['a*a', 'a', false],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*b*c', 'a-b-c', false],
  ['*ab*ba*', 'aba', false],
  ['**', 'a', true],
  ['a.c', 'abc', false],
  ['[a]*', '[a](', true]
]

for (const [pattern, text, isMatch] of cases) {
  t.test(`"${pattern}" ${isMatch ? 'matches' : 'does not match'} "${text}"`, async t => t.equal(matchesGlob(pattern, text), isMatch))
}

t.test('a pattern of many stars does not backtrack', async t => {
  t.equal(matchesGlob(`${'*a'.repeat(100)}*b`, 'a'.repeat(100_000)), false)
  t.equal(matchesGlob(`${'*a'.repeat(100)}*b`, `${'a'.repeat(100_000)}b`), true)
})
