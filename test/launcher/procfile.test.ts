import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prefixed } from '../../bin/output.js'
import { readFormation, readProcfile } from '../../bin/procfile.js'
import { root } from './launcher.ts'

t.test('a Procfile has one type and command per line, and comments', async t => {
  const path = join(t.testdir(), 'Procfile')

  writeFileSync(
    path,
    '# web: not this\nweb: node --flag=1 src/server.ts  \n\n  rest: indented\nfast-worker:node workers/main.ts errors\r\n'
  )
  t.same(
    [...readProcfile(path)],
    [
      ['web', 'node --flag=1 src/server.ts'],
      ['fast-worker', 'node workers/main.ts errors']
    ]
  )
})

t.test("Tocsin's Procfile has a web and a worker, the web first", async t => {
  const procfile = readProcfile(join(root, 'Procfile'))

  t.same([...procfile.keys()], ['web', 'worker'])
  t.match(procfile.get('web'), /^node .*src\/server\.ts$/)
  t.match(procfile.get('worker'), /^node .*workers\/main\.ts$/)
})

t.test('a formation has one process of each type by default', async t => {
  const procfile = new Map([
    ['web', 'node web'],
    ['worker', 'node worker']
  ])
  const formation = (...args: string[]) => Object.fromEntries(readFormation(args, procfile))

  t.same(formation(), { web: 1, worker: 1 })
  t.same(formation('worker=3'), { web: 1, worker: 3 })
  t.same(formation('web=0', 'worker=2'), { web: 0, worker: 2 })

  for (const arg of ['workers=2', 'worker', 'worker=', 'worker=-1', 'worker=two', 'worker=1000', '=2', '--worker=2']) {
    t.throws(() => formation(arg), { message: `Invalid argument "${arg}": expected type=count, where type is one of: web, worker.` })
  }
})

t.test('every line of output is prefixed with its process, however it is chunked', async t => {
  const written: string[] = []
  const write = prefixed('web.1', { write: (text: string) => written.push(text) } as never)

  write('one\ntw')
  write('o\n\nthree')
  t.same(written, ['web.1      | one\n', 'web.1      | two\n', 'web.1      | \n'])
})
