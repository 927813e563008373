import { spawnSync } from 'node:child_process'
import t from 'tap'
import { BadArguments, readArguments } from '../../bin/arguments.js'
import { commands, helpOf, programs } from '../../bin/commands.js'
import { root } from './launcher.ts'

const run = (...args: string[]) => spawnSync(process.execPath, ['bin/tocsin.js', ...args], { cwd: root, encoding: 'utf8' })

t.test('without a command, tocsin starts the system, also with a formation', async t => {
  t.same(readArguments([]), { name: 'start', args: [], options: {} })
  t.same(readArguments(['worker=3']), { name: 'start', args: ['worker=3'], options: {} })
})

t.test('arguments and options are read for each command', async t => {
  const { name, args, options } = readArguments(['user', 'create', 'ada', 'ada@example.com', '--admin', '--json'])

  t.same([name, args, { ...options }], ['user create', ['ada', 'ada@example.com'], { admin: true, json: true }])
})

t.test('what is unknown is refused with the closest name', async t => {
  const cases = {
    stauts: 'There is no command "stauts". Did you mean status?',
    'user lst': 'There is no command "user lst". Did you mean user list?',
    'status --jsno': '"tocsin status" has no option --jsno. Did you mean --json?',
    '--halp': 'There is no option --halp. Did you mean --help?',
    frobnicate: 'There is no command "frobnicate". See tocsin --help.',
    'user block': 'Usage: tocsin user block USERNAME [--json]',
    'backup a b': 'Usage: tocsin backup FILE [--json]'
  }

  for (const [line, message] of Object.entries(cases)) t.throws(() => readArguments(line.split(' ')), new BadArguments(message))
  const { status, stdout, stderr } = run('stauts')

  t.same([status, stdout, stderr], [1, '', 'There is no command "stauts". Did you mean status?\n'])
})

t.test('every command has a short help with an example, which can be read', async t => {
  t.equal(run('--version').stdout, '0.1.0\n')
  t.equal(run('status', '--help').stdout, helpOf('status'))
  const list = run('--help').stdout

  for (const [name, { example }] of Object.entries(commands)) {
    const words = [...example.replace(/^.*?tocsin /, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

    t.match(list, `  ${name} `)
    t.match(helpOf(name), `Example: ${example}\n`)
    t.ok(helpOf(name).split('\n').length < 20)
    if (!programs.includes(name)) t.equal(readArguments(words).name, name)
  }
})

t.test('a noun alone lists its commands', async t => {
  const { stdout } = run('token', '--help')

  t.match(stdout, '  token create ')
  t.notMatch(stdout, 'user create')
})
