import t from 'tap'
import { noFiles } from '#extras/ci/config/config-files.ts'
import { evaluateExpression, findSyntaxError } from '#extras/ci/config/evaluate-expression.ts'
import { matchesPath } from '#extras/ci/config/match-path.ts'
import { readConfig } from '#extras/ci/config/read-config.ts'
import fc from '../../support/properties.ts'
import { openLinter } from './linter.ts'

const errorsOf = async (content: string, files = noFiles) => (await readConfig(content, files)).errors
const letters = [...'abcdefghij']

t.test('a configuration that expands beyond its limits is refused while it grows', async t => {
  const laughs = letters.slice(1).map((name, index) => `.${name}: &${name} [${Array(9).fill(`*${letters[index]}`)}]`)
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`)
  const jobs = Array.from({ length: 10_000 }, (_, index) => `j${index}: {extends: .b}`)

  t.match(await errorsOf(`.a: &a [x]\n${laughs.join('\n')}\nz: {script: *j}`), [/too big/])
  t.match(await errorsOf(`.b: {${keys}}\n${jobs.join('\n')}`), [/too big/])
  t.match(await errorsOf('a: &a [x, *a]'), [/nested too deeply/])
  t.match(await errorsOf(`a: ${'['.repeat(100_000)}`), [/nesting exceeded/])
  t.match(await errorsOf(`a: ${'{'.repeat(100_000)}`), [/nesting exceeded/])
  t.match(await errorsOf(`# ${'x'.repeat(1_048_576)}`), [/larger than 1 MiB/])
  t.match(await errorsOf(`x: &x {${keys}}\n${letters.map(name => `${name}: {<<: *x}`).join('\n')}`), [/merge/])
  t.match(await errorsOf('include: [{local: a.yml}]', { ...noFiles, read: async path => `include: ${path[0]}a.yml` }), [/itself/])
  t.match(await errorsOf('include: a.yml', { ...noFiles, read: async path => `include: a${path}` }), [/Maximum of 150/])
  t.match(await errorsOf(Array.from({ length: 2001 }, (_, index) => `j${index}: {script: x}`).join('\n')), [/more than 2000 jobs/])
})

t.test('keys that JavaScript objects have anyway are jobs like any other', async t => {
  const { errors, jobs } = await readConfig('constructor: {script: x}\n__proto__: {script: y}\ntoString: {script: z}', noFiles)

  t.same(errors, [])
  t.same(
    jobs.map(({ name }) => name),
    ['constructor', '__proto__', 'toString']
  )
  t.same(await errorsOf('a: {extends: valueOf, script: x}'), ['a: unknown keys in `extends` (valueOf)'])
})

t.test('expressions: precedence, null, patterns and what is no expression', async t => {
  const variables = new Map([
    ['A', '1'],
    ['EMPTY', ''],
    ['P', '/^m/'],
    ['BAD', '/(/'],
    ['B', 'main']
  ])
  const cases: Record<string, boolean> = {
    $A: true,
    $EMPTY: false,
    $NO: false,
    '$A == "1"': true,
    "$A == '2'": false,
    '$NO == null': true,
    '$EMPTY == null': false,
    '$EMPTY == ""': true,
    '$NO == ""': false,
    '$A == "2" && $NO || $B': true,
    '$A == "2" && ($NO || $B)': false,
    '$B =~ /^MA(in|ster)$/i': true,
    '$B =~ $P': true,
    '$B =~ $BAD': false,
    '$B !~ /x/': true,
    '$NO =~ /x/': false,
    '${B} == "main"': true
  }

  for (const [text, expected] of Object.entries(cases)) t.equal(evaluateExpression(text, variables), expected, text)
  for (const text of ['', '$', '$A ==', '$A = 1', '== 1', '($A', '$A)', '"a', '$A $B', `${'('.repeat(200)}$A${')'.repeat(200)}`]) {
    t.equal(findSyntaxError(text), 'invalid expression syntax', text.slice(0, 20))
  }
  t.equal(findSyntaxError(`$A =~ /${'x{500}'.repeat(3)}/`), 'the pattern has too many repetitions')
  t.equal(findSyntaxError(Array(21).fill('$A =~ /a/').join(' && ')), 'the expression has more than 20 patterns')
  t.equal(findSyntaxError(`"${'x'.repeat(2000)}"`), 'the expression is longer than 2000 characters')
})

t.test('patterns of paths: a star stays in its directory, two cross them', async t => {
  const cases: [string, string, boolean][] = [
    ['*.ts', 'a.ts', true],
    ['*.ts', 'b/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'b/c/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**/b', 'src/b', true],
    ['src/**/b/**/c', 'src/b/x/b/c', true],
    ['src/**/b', 'lib/b', false]
  ]

  for (const [pattern, path, expected] of cases) t.equal(matchesPath(pattern, path), expected, `${pattern} ${path}`)
  t.equal(matchesPath(`${'**/a/'.repeat(200)}b`, 'a/'.repeat(500)), false)
})

t.test('no configuration is answered with a server error', async t => {
  const { check } = await openLinter(t)
  const key = fc.constantFrom(
    'script',
    'extends',
    'include',
    'stages',
    'rules',
    'needs',
    'default',
    'workflow',
    'variables',
    'parallel',
    'a',
    '.b'
  )
  const value = fc.letrec(tie => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom('a', '.b', '$A == "1"', '!reference [a]')),
    node: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 6 })
    )
  })).node
  const document = fc.oneof(
    fc.dictionary(key, value).map(config => JSON.stringify(config)),
    fc.string({ unit: 'binary' })
  )

  await fc.assert(
    fc.asyncProperty(document, fc.boolean(), async (content, isDry) => {
      const { status, body } = await check(content, { dry_run: isDry, include_jobs: true })

      // A dry run needs a branch, which this repository does not have.
      return isDry ? status === 404 || status === 400 : status === 400 || (status === 200 && body.valid === (body.errors.length === 0))
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) }
  )
})
