import t from 'tap'
import { measureIdle } from '../../bench/idle.ts'

t.test('an idle npm start fits a small machine', { skip: process.platform !== 'linux' && 'memory is told by /proc' }, async t => {
  const { total, processes } = await measureIdle()

  t.comment(JSON.stringify(processes))
  t.ok(processes['web.js']! <= 125, `web: ${processes['web.js']} MiB`)
  t.ok(processes['worker.js']! <= 90, `worker: ${processes['worker.js']} MiB`)
  t.ok(processes.postgres! <= 75, `Postgres: ${processes.postgres} MiB`)
  t.ok(total <= 330, `${total} MiB`)
})
