import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { connectionsOf } from '#platform/database/connections.ts'
import { prefixed } from '../../bin/output.js'
import { planConnections } from '../../bin/postgres/connections.js'
import { readFormation, readProcfile } from '../../bin/procfile.js'
import { root } from './launcher.ts'

t.test('a Procfile has one type and command per line, and comments', async t => {
  const path = join(t.testdir(), 'Procfile')

  writeFileSync(path, '# web: not this\nweb: node --flag=1 web.js  \n\n  rest: indented\nfast-worker:node bin/tocsin.js worker errors\r\n')
  t.same(
    [...readProcfile(path)],
    [
      ['web', 'node --flag=1 web.js'],
      ['fast-worker', 'node bin/tocsin.js worker errors']
    ]
  )
})

t.test("Tocsin's Procfile has a web and a worker, the web first", async t => {
  const procfile = readProcfile(join(root, 'Procfile'))

  t.same([...procfile.keys()], ['web', 'worker'])
  t.equal(procfile.get('web'), 'node bin/tocsin.js web')
  t.equal(procfile.get('worker'), 'node bin/tocsin.js worker')
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

t.test('the embedded Postgres allows every process as many connections as it may need, or the start is refused', async t => {
  t.equal(planConnections(2, 27), 100)
  t.equal(planConnections(5, 27), 145)
  t.throws(() => planConnections(40, 27), {
    message:
      '40 processes may need 1090 database connections, and the embedded Postgres allows at most 1000. ' +
      'Start at most 36, lower DATABASE_POOL, or set DATABASE_URL to your own Postgres.'
  })
  t.equal(connectionsOf({ databasePool: 8 }), 27)
  t.equal(connectionsOf({ databasePool: 8, redisUrl: 'redis://localhost' }), 19)
})
