import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { type ProjectAlertChange, processAlerts } from '#alerts/process-alerts.ts'
import type { Receipt } from '#alerts/store/aggregate-alerts.ts'
import { hasExactly } from '../support/has-exactly.ts'
import fc from '../support/properties.ts'
import { openApp } from '../support/world.ts'
import { Model, type Signal, type StoredAlert, signal } from './model.ts'

/** `FUZZ_RUNS=10000` for a longer run. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 60)

type Request = Parameters<typeof processAlerts>[1][number]

async function openStore(t: Test) {
  const { platform, call } = await openApp(t)
  const { body: first } = await call('POST', '/projects', { name: 'Shop' })
  let made = 0

  /** Inserted directly: thousands are needed. */
  const openProject = async () => {
    const { rows } = await platform.pool.query(
      `INSERT INTO projects (namespace_id, name, path, full_path) SELECT namespace_id, $2, $2, $2 FROM projects WHERE id = $1 RETURNING id`,
      [first.id, `p${++made}`]
    )

    return rows[0].id as number
  }
  const work = async (requests: Request[]) => {
    let answers: Receipt[] = []
    const changes = await processAlerts(platform.fork(), requests, async (_em, sent) => {
      answers = sent
    })

    return { answers: answers.map(({ alerts }) => alerts.map(({ iid }) => iid)), changes }
  }
  const stored = async (projectId: number): Promise<StoredAlert[]> => {
    const { rows } = await platform.pool.query(
      `SELECT iid, nullif(title, 'none') AS name, events, status FROM alerts WHERE project_id = $1 ORDER BY iid`,
      [projectId]
    )

    return rows.map(row => ({ ...row, name: row.name ?? undefined }))
  }

  return { platform, openProject, work, stored }
}

/** A signal without a name gets a fingerprint of its own. */
function aRequest(projectId: number, signals: Signal[]): Request {
  const alerts = signals.map(({ name, isResolved }) => ({
    status: isResolved ? 'resolved' : 'firing',
    labels: { alertname: name ?? 'none' },
    startsAt: '2026-11-21T10:00:00Z',
    endsAt: isResolved ? '2026-11-21T11:00:00Z' : '0001-01-01T00:00:00Z',
    fingerprint: name ?? randomUUID()
  }))
  const body = {
    version: '4',
    groupKey: '',
    status: '',
    receiver: '',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: ''
  }

  return {
    id: randomUUID().replaceAll('-', ''),
    projectId,
    integrationId: 1,
    receivedAt: '2026-11-21T12:00:00.000Z',
    body: JSON.stringify({ ...body, alerts })
  }
}

const requests = fc.array(fc.array(signal, { maxLength: 4 }), { minLength: 1, maxLength: 4 })

function differ(found: unknown, expected: unknown) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`)
}

interface Real {
  projectId: number
  store: Awaited<ReturnType<typeof openStore>>
  last: { requests: Request[]; answers: number[][]; changes: ProjectAlertChange[] }
}

type Command = fc.AsyncCommand<Model, Real>

class Send implements Command {
  batch: Signal[][]
  constructor(batch: Signal[][]) {
    this.batch = batch
  }
  check = () => true
  async run(model: Model, real: Real) {
    const requests = this.batch.map(signals => aRequest(real.projectId, signals))
    const { answers, changes } = await real.store.work(requests)

    differ(
      answers,
      this.batch.map(signals => model.apply(signals))
    )
    differ(await real.store.stored(real.projectId), model.alerts)
    real.last = { requests, answers, changes }
  }
  toString = () => `send ${JSON.stringify(this.batch)}`
}

/** A worker was killed after its commit, or the client repeats a request. */
class Repeat implements Command {
  check = () => true
  async run(model: Model, real: Real) {
    const { requests, answers, changes } = real.last
    const again = await real.store.work(requests)

    differ([again.answers, again.changes], [answers, changes])
    differ(await real.store.stored(real.projectId), model.alerts)
  }
  toString = () => 'repeat'
}

/** A worker was killed before its commit. */
class Crash implements Command {
  batch: Signal[][]
  constructor(batch: Signal[][]) {
    this.batch = batch
  }
  check = () => true
  async run(model: Model, real: Real) {
    const requests = this.batch.map(signals => aRequest(real.projectId, signals))
    const cut = processAlerts(real.store.platform.fork(), requests, async () => {
      throw new Error('killed')
    })

    await cut.catch(() => {})
    differ(await real.store.stored(real.projectId), model.alerts)
  }
  toString = () => `crash: ${JSON.stringify(this.batch)}`
}

class ChangeStatus implements Command {
  status: string
  constructor(status: string) {
    this.status = status
  }
  check = (model: Readonly<Model>) => model.alerts.some(({ status }) => status !== 'resolved')
  async run(model: Model, real: Real) {
    const open = model.alerts.findLast(({ status }) => status !== 'resolved')!

    open.status = this.status
    await real.store.platform.pool.query('UPDATE alerts SET status = $3 WHERE project_id = $1 AND iid = $2', [
      real.projectId,
      open.iid,
      this.status
    ])
  }
  toString = () => `change the last to ${this.status}`
}

/** Two workers process batches of one project concurrently: either may be first. */
class SendConcurrently implements Command {
  one: Signal[][]
  other: Signal[][]
  constructor(one: Signal[][], other: Signal[][]) {
    this.one = one
    this.other = other
  }
  check = () => true
  async run(model: Model, real: Real) {
    const work = (batch: Signal[][]) => real.store.work(batch.map(signals => aRequest(real.projectId, signals)))
    const [one, other] = await Promise.all([work(this.one), work(this.other)])
    const inOrder = (...batches: Signal[][][]) => {
      const copy = model.copy()
      const answers = batches.map(batch => batch.map(signals => copy.apply(signals)))

      return { copy, answers }
    }
    const [oneFirst, otherFirst] = [inOrder(this.one, this.other), inOrder(this.other, this.one)]
    const isOneFirst = JSON.stringify([one.answers, other.answers]) === JSON.stringify(oneFirst.answers)

    differ([one.answers, other.answers], isOneFirst ? oneFirst.answers : otherFirst.answers.toReversed())
    const found = await real.store.stored(real.projectId)
    const expected = [oneFirst, otherFirst].map(({ copy }) => copy.alerts)

    model.alerts = expected.find(alerts => JSON.stringify(alerts) === JSON.stringify(found)) ?? expected[0]!
    differ(found, model.alerts)
  }
  toString = () => `concurrently: ${JSON.stringify([this.one, this.other])}`
}

const commands = fc.commands(
  [
    requests.map(batch => new Send(batch)),
    requests.map(batch => new Send(batch)),
    fc.constant(new Repeat()),
    requests.map(batch => new Crash(batch)),
    fc.constantFrom('acknowledged', 'ignored', 'resolved').map(status => new ChangeStatus(status)),
    fc.tuple(requests, requests).map(([one, other]) => new SendConcurrently(one, other))
  ],
  { maxCommands: 8 }
)

t.test('the store is the same as the model after any requests, repetitions, crashes and status changes', async t => {
  const store = await openStore(t)
  const sameAsModel = fc.asyncProperty(commands, async commands => {
    const projectId = await store.openProject()

    await fc.asyncModelRun(
      () => ({ model: new Model(), real: { projectId, store, last: { requests: [], answers: [], changes: [] } } }),
      commands
    )
  })

  await t.resolves(fc.assert(sameAsModel, { numRuns }))
})

t.test('a batch may concern several projects, one of them deleted', async t => {
  const { openProject, work, stored, platform } = await openStore(t)
  const [one, other, gone] = [await openProject(), await openProject(), await openProject()]
  const fires = [{ name: 'cpu', isResolved: false }]

  await platform.pool.query('DELETE FROM projects WHERE id = $1', [gone])
  const { answers, changes } = await work([aRequest(other, fires), aRequest(gone, fires), aRequest(one, fires), aRequest(other, fires)])

  t.same(answers, [[1], [], [1], [1]])
  hasExactly(t, changes, [
    { iid: 1, became: 'triggered', projectId: other },
    { iid: 1, became: 'triggered', projectId: one }
  ])
  hasExactly(t, await stored(other), [{ events: 2 }])
  hasExactly(t, await stored(one), [{ events: 1 }])
})
