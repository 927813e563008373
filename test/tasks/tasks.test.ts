import t from 'tap'
import type { Actor } from '#audit/record-audit-event.ts'
import { estimateMatches } from '#errors/groups/group-search-store.ts'
import { User } from '#identity/users/user.ts'
import { deleteExpired } from '#platform/database/jobs.ts'
import { handle } from '#platform/queue/handler.ts'
import { Role } from '#projects/members/member.ts'
import { resumeTasks, runTask } from '#tasks/jobs.ts'
import { takeTurn } from '#tasks/run-task.ts'
import { enqueueTask, startTask } from '#tasks/start-task.ts'
import type { TaskKind } from '#tasks/task-kind.ts'
import { aMember } from '../pages/a-member.ts'
import { makeOne } from '../platform/contracts.ts'
import { eventually, onBothBackends, openApp, openWorld } from '../support/world.ts'
import { changedOnce, someErrors } from './some-errors.ts'

const many = 400
const system = { ip: '127.0.0.1' }

onBothBackends(t, 'all errors that match are changed once each, although the worker stops in between', async (t, kind) => {
  const world = await someErrors(t, many, kind)
  const { bulk, task, work, page, numberOf, addErrors, untilState } = world

  t.equal((await bulk({ change: 'resolve' })).statusCode, 303)
  const begun = await page()
  t.match(begun, /Resolving errors in the background\. <a href="#tasks">Progress<\/a>/)
  t.match(begun, /<strong>Resolving errors<\/strong> <span class="hint">started by @root <time[^>]+>just now/)
  t.match(begun, /<progress aria-label="Resolving errors"><\/progress><p class="hint">Waiting for a worker/)

  const worker = await work('maintenance')
  await eventually(async () => Number((await task()).done) > 0, 'a part is done')
  await worker.close(1)
  await addErrors(1)
  const { done, total } = await task()
  t.equal(Number(total), many)
  t.ok(Number(done) > 0 && Number(done) < many, `${done} are done when it stops`)
  t.equal(await numberOf(`error_groups WHERE status = 'resolved'`), Number(done), 'progress and work are of one transaction')
  const half = await page()
  t.ok(half.includes(`<progress max="${many}" value="${done}" aria-label="Resolving errors"></progress><p class="hint">${done} of ${many}`))
  t.match(half, `data-topics="tasks:${world.project.id}"`)

  await work('maintenance')
  await untilState('finished')
  await changedOnce(t, world, many)
  t.equal(await numberOf(`error_groups WHERE status = 'unresolved'`), 1, 'one that came later is not changed')
  t.match(await page(), new RegExp(`Resolving errors</strong>[\\s\\S]+Finished <time[^>]+>just now</time>, ${many} in total<`))
})

t.test('few errors are changed at once', async t => {
  const { bulk, page, numberOf } = await someErrors(t, 199)

  await bulk({ change: 'ignore' })
  t.match(await page(), '199 errors were ignored.')
  t.equal(await numberOf('tasks'), 0)
})

t.test('a task changes what matched the search, whose times and conditions it keeps', async t => {
  const { bulk, work, query, numberOf, untilState } = await someErrors(t, 600)

  // The first 300 were seen within five minutes.
  await query(`UPDATE error_groups SET level = 'warning' WHERE id % 10 = 0`)
  const searched = `FROM error_groups WHERE last_seen_at > now() - interval '301 seconds' AND level <> 'warning'`
  const matching = (await query<{ id: number }>(`SELECT id ${searched} ORDER BY id`)).map(({ id }) => id)

  await bulk({ change: 'resolve', query: 'is:unresolved last-seen:<5m !level:warning (error OR nothing) !is:ignored' })
  await work('maintenance')
  await untilState('finished')
  const changed = (await query<{ id: number }>(`SELECT id FROM error_groups WHERE status = 'resolved' ORDER BY id`)).map(({ id }) => id)
  t.ok(Math.abs(changed.length - 270) <= 2, `${changed.length} of 600`)
  t.same(
    changed.filter(id => !matching.includes(id)),
    []
  )
  t.equal(await numberOf(`error_groups WHERE level = 'warning' AND status = 'resolved'`), 0)
})

t.test('a task that cannot go on says why, and developers try it again', async t => {
  const world = await someErrors(t, 250)
  const { app, call, bulk, project, task, work, page, query, visitor, url, numberOf, untilState } = world
  const ann = await aMember({ app, call }, 'ann')
  const eve = await aMember({ app, call }, 'eve')
  const members = `/projects/${project.id}/members`
  const again = async (base = `/projects/${project.id}`) => `${base}/tasks/${(await task()).id}/again`

  await bulk({ change: 'assign_to', assign_to: String(ann.id) })
  t.match(await page(), 'Is not a member of the project.')
  t.equal(await numberOf('tasks'), 0, 'what cannot begin does not')

  await call('POST', members, { user_id: ann.id, access_level: Role.developer })
  await call('POST', members, { user_id: eve.id, access_level: Role.reporter })
  await bulk({ change: 'assign_to', assign_to: String(ann.id) })
  await call('DELETE', `${members}/${ann.id}`)
  await query("UPDATE tasks SET failures = 4, cursor = '0', total = 250")
  await work('maintenance')
  await untilState('failed')
  t.match(await page(), 'Stopped at 0 of 250. Assignee is not a member of the project.')
  t.match((await visitor.get('/admin')).body, /<h2 id="tasks">Tasks<\/h2>[\s\S]+Assigning errors[\s\S]+action="\/admin\/tasks\/\d+\/again"/)

  await eve.get('/projects')
  const dismissal = async () => (await again()).replace('again', 'dismiss')

  t.equal((await eve.post(await again())).statusCode, 403, 'reporters may not')
  t.equal((await eve.post(await dismissal())).statusCode, 403)
  t.equal((await eve.post(await again('/-'))).statusCode, 404, 'nor may others as if it were theirs')
  t.equal((await eve.post(await again('/admin'))).statusCode, 403)
  t.equal((await visitor.post(await again('/-'))).statusCode, 404, 'those of a project are its developers, also for who began them')
  await call('POST', members, { user_id: ann.id, access_level: Role.developer })
  await ann.get(url)
  t.hasStrict(await ann.post(await again()), { statusCode: 303, headers: { location: `${url}#tasks` } })
  t.equal((await ann.post(await again())).statusCode, 404, 'once')
  await untilState('finished')
  t.equal(await numberOf(`error_groups WHERE assignee_id = ${ann.id}`), 250)

  t.equal((await ann.post(await dismissal())).statusCode, 404, 'what has finished is not dismissed')
  await query("UPDATE tasks SET state = 'failed', failure = 'Broken.'")
  t.match(await page(), 'Broken.')
  t.hasStrict(await ann.post(await dismissal()), { statusCode: 303, headers: { location: url } })
  t.notMatch(await page(), 'Broken.')
})

onBothBackends(t, 'a step that fails is taken again, and what it did before is not kept', async (t, kind) => {
  const { platform, work } = await openWorld(t, { kind })
  const em = platform.fork()
  let tries = 0
  const flaky: TaskKind<object, number> = {
    name: 'test.flaky',
    async step(em, { cursor }) {
      await startTask(em, { name: 'test.trace', step: async () => ({ done: 0 }) }, { title: 'Trace', params: {} }, system, new Date())
      if (++tries === 2) throw new Error('a secret of the database')

      return { done: 1, next: cursor === 2 ? undefined : (cursor ?? 0) + 1 }
    }
  }
  const task = await em.transactional(em => startTask(em, flaky, { title: 'Flaky', params: {} }, system, new Date()))

  await enqueueTask(em, platform, task)
  await work('maintenance', [handleTasks([flaky])])
  await eventually(async () => (await em.refresh(task))!.state === 'finished', 'it is finished')
  t.equal(tries, 4)
  t.hasStrict(task, { done: 3, total: 3, failures: 0 })
  t.equal((await platform.pool.query(`SELECT FROM tasks WHERE kind = 'test.trace'`)).rowCount, 3)

  tries = 1
  const other = await em.transactional(em => startTask(em, flaky, { title: 'Flaky', params: {} }, system, new Date()))
  other.failures = 4
  await em.flush()
  await enqueueTask(em, platform, other)
  await eventually(async () => (await em.refresh(other))!.state === 'failed', 'it has failed')
  t.equal(other.failure, 'An unexpected error occurred. Its details are in the log.', 'without secrets')
})

onBothBackends(t, 'a long task lets other jobs of its queue have their turn', async (t, kind) => {
  const { platform, work } = await openWorld(t, { kind })
  const em = platform.fork()
  let isDone = false
  const long: TaskKind<object, number> = {
    name: 'test.long',
    async step() {
      await new Promise(resolve => setTimeout(resolve, 100))

      return { done: 1, next: isDone ? undefined : 0 }
    }
  }
  const task = await em.transactional(em => startTask(em, long, { title: 'Long', params: {} }, system, new Date()))
  const other = { ...makeOne, queue: 'maintenance' }
  const handlers = [
    handleTasks([long]),
    handle(other, async () => {
      isDone = true
    })
  ]

  await enqueueTask(em, platform, task)
  await work('maintenance', handlers, { concurrency: 1 })
  await eventually(async () => (await em.refresh(task))!.done > 0, 'it has begun')
  await platform.queues.enqueue(other, { n: 1 })
  await eventually(async () => (await em.refresh(task))!.state === 'finished', 'the other job ran, and the task goes on after it')
  t.ok(isDone)
})

onBothBackends(t, 'many tasks of one author do not delay those of another, nor other jobs', async (t, kind) => {
  const { call, platform, work } = await openApp(t, { kind })
  const em = platform.fork()
  const order: string[] = []
  const traced: TaskKind<object, number> = {
    name: 'test.traced',
    async step(_em, { task }) {
      order.push(task.title)

      return { done: 1 }
    }
  }
  const other = { ...makeOne, queue: 'maintenance' }
  const start = (title: string, by: Actor) => em.transactional(em => startTask(em, traced, { title, params: {} }, by, new Date()))
  const user = await em.findOneOrFail(User, { id: (await call('GET', '/user')).body.id })

  for (const title of ['first', 'second', 'third']) await enqueueTask(em, platform, await start(title, system))
  await enqueueTask(em, platform, await start('of another', { ...system, user }))
  await platform.queues.enqueue(other, { n: 1 })
  const handlers = [handleTasks([traced]), handle(other, async () => void order.push('other job'))]

  await work('maintenance', handlers, { concurrency: 1 })
  await eventually(() => order.length === 5, 'all have run')
  t.same(order, ['other job', 'first', 'of another', 'second', 'third'])
})

t.test('the total of a large project is estimated from a part of it', async t => {
  const { project, platform } = await someErrors(t, 300)
  const filter = { firstSeen: {}, lastSeen: {} }
  const range = { after: 0, upTo: 1e9, statuses: ['unresolved' as const] }
  const estimate = (upTo: number, sample: number) => estimateMatches(platform.fork(), project.id, filter, { ...range, upTo }, sample)

  t.same([await estimate(1e9, 100), await estimate(1e9, 1000), await estimate(0, 100)], [300, 300, 0])
})

onBothBackends(t, 'a task whose job was lost is resumed, and its former job does nothing', async (t, kind) => {
  const { bulk, work, query, task, platform, untilState, ...world } = await someErrors(t, 300, kind)
  const queue = platform.queues.get('maintenance')

  await bulk({ change: 'ignore' })
  const { id, run } = await task()
  await queue.obliterate({ force: true })
  await work('maintenance')
  await platform.queues.enqueue(resumeTasks, {})
  await eventually(async () => (await queue.getCompletedCount()) === 1, 'the schedule has looked')
  t.equal((await task()).run, run, 'a young task may be at work')

  await query(`UPDATE tasks SET leased_until = now() - interval '1 second'`)
  await platform.queues.enqueue(resumeTasks, {})
  await eventually(async () => (await task()).run === run + 1, 'a new run begins')
  await platform.queues.enqueue(runTask, { taskId: Number(id), run })
  await untilState('finished')
  await changedOnce(t, { ...world, query }, 300)
})

t.test('a task ends with its project', async t => {
  const { bulk, work, call, project, task, query, untilState } = await someErrors(t, 250)

  await bulk({ change: 'resolve' })
  await query('UPDATE tasks SET total = 250')
  await call('DELETE', `/projects/${project.id}`)
  await work('maintenance')
  await untilState('finished')
  t.hasStrict((await query(`SELECT state, done, failures FROM tasks WHERE kind = 'errors.change'`))[0], {
    state: 'finished',
    done: 0,
    failures: 0
  })
  t.equal((await task()).failure, null)
})

t.test('finished tasks are deleted after a week, failed ones after a month', async t => {
  const { platform, work } = await openWorld(t)
  const { pool, queues } = platform
  const add = (state: string, age: string) =>
    pool.query(
      `INSERT INTO tasks (kind, title, origin, params, state, leased_until, updated_at, finished_at)
       SELECT 'test', $1 || ' ' || $2, '{}', '{}', $1, now(), now() - $2::interval, CASE WHEN $1 = 'finished' THEN now() - $2::interval END`,
      [state, age]
    )

  for (const age of ['6 days', '8 days', '31 days']) for (const state of ['finished', 'failed', 'waiting']) await add(state, age)
  await work('maintenance')
  await queues.enqueue(deleteExpired, {})
  const left = async () => (await pool.query('SELECT title FROM tasks ORDER BY title')).rows.map(({ title }) => title)
  await eventually(async () => (await left()).length < 9, 'old ones are deleted')
  t.same(await left(), ['failed 6 days', 'failed 8 days', 'finished 6 days', 'waiting 31 days', 'waiting 6 days', 'waiting 8 days'])
})

function handleTasks(kinds: TaskKind[]) {
  return handle(runTask, async (items, { em, ...deps }) => {
    for (const run of items) await takeTurn({ ...deps, fork: () => em.fork() }, kinds, run)
  })
}
