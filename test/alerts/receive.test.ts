import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type ProjectAlertChange, receiveBatch } from '../../src/alerts/receive-alerts.ts'
import type { Receipt } from '../../src/alerts/store/aggregate-alerts.ts'
import { openApp } from '../support/world.ts'
import { type Kept, Model, type Said, said } from './model.ts'

/** `FUZZ_RUNS=10000` for a longer look. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 60)

type Request = Parameters<typeof receiveBatch>[1][number]

async function aStore(t: Test) {
  const { platform, call } = await openApp(t)
  const { body: first } = await call('POST', '/projects', { name: 'Shop' })
  let made = 0

  /** Without its routes, as thousands are needed. */
  const aProject = async () => {
    const { rows } = await platform.pool.query(
      `INSERT INTO projects (namespace_id, name, path, full_path) SELECT namespace_id, $2, $2, $2 FROM projects WHERE id = $1 RETURNING id`,
      [first.id, `p${++made}`]
    )

    return rows[0].id as number
  }
  const work = async (requests: Request[]) => {
    let answers: Receipt[] = []
    const news = await receiveBatch(platform.fork(), requests, async (_em, sent) => {
      answers = sent
    })

    return { answers: answers.map(({ alerts }) => alerts.map(({ iid }) => iid)), news }
  }
  const kept = async (projectId: number): Promise<Kept[]> => {
    const { rows } = await platform.pool.query(
      `SELECT iid, nullif(title, 'none') AS what, events, status FROM alerts WHERE project_id = $1 ORDER BY iid`,
      [projectId]
    )

    return rows.map(row => ({ ...row, what: row.what ?? undefined }))
  }

  return { platform, aProject, work, kept }
}

/** What is never known again says nothing by which it could be: only where grouping by content is off. */
function aRequest(projectId: number, said: Said[]): Request {
  const alerts = said.map(({ what, isOver }) => ({
    status: isOver ? 'resolved' : 'firing',
    labels: { alertname: what ?? 'none' },
    startsAt: '2026-11-21T10:00:00Z',
    endsAt: isOver ? '2026-11-21T11:00:00Z' : '0001-01-01T00:00:00Z',
    fingerprint: what ?? randomUUID()
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

const requests = fc.array(fc.array(said, { maxLength: 4 }), { minLength: 1, maxLength: 4 })

function differ(found: unknown, expected: unknown) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`)
}

interface Real {
  projectId: number
  store: Awaited<ReturnType<typeof aStore>>
  last: { requests: Request[]; answers: number[][]; news: ProjectAlertChange[] }
}

type Command = fc.AsyncCommand<Model, Real>

class Send implements Command {
  batch: Said[][]
  constructor(batch: Said[][]) {
    this.batch = batch
  }
  check = () => true
  async run(model: Model, real: Real) {
    const requests = this.batch.map(said => aRequest(real.projectId, said))
    const { answers, news } = await real.store.work(requests)

    differ(
      answers,
      this.batch.map(said => model.take(said))
    )
    differ(await real.store.kept(real.projectId), model.alerts)
    real.last = { requests, answers, news }
  }
  toString = () => `send ${JSON.stringify(this.batch)}`
}

/** A worker that was killed after its commit; or one that a sender repeats itself to. */
class SendAgain implements Command {
  check = () => true
  async run(model: Model, real: Real) {
    const { requests, answers, news } = real.last
    const again = await real.store.work(requests)

    differ([again.answers, again.news], [answers, news])
    differ(await real.store.kept(real.projectId), model.alerts)
  }
  toString = () => 'the same again'
}

/** A worker that was killed before its commit. */
class CutShort implements Command {
  batch: Said[][]
  constructor(batch: Said[][]) {
    this.batch = batch
  }
  check = () => true
  async run(model: Model, real: Real) {
    const requests = this.batch.map(said => aRequest(real.projectId, said))
    const cut = receiveBatch(real.store.platform.fork(), requests, async () => {
      throw new Error('killed')
    })

    await cut.catch(() => {})
    differ(await real.store.kept(real.projectId), model.alerts)
  }
  toString = () => `cut short: ${JSON.stringify(this.batch)}`
}

class SomebodyChanges implements Command {
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
  toString = () => `somebody changes the last to ${this.status}`
}

/** Two workers that do not know of each other, as after a long pause of one: either is first. */
class SendTogether implements Command {
  one: Said[][]
  other: Said[][]
  constructor(one: Said[][], other: Said[][]) {
    this.one = one
    this.other = other
  }
  check = () => true
  async run(model: Model, real: Real) {
    const work = (batch: Said[][]) => real.store.work(batch.map(said => aRequest(real.projectId, said)))
    const [one, other] = await Promise.all([work(this.one), work(this.other)])
    const inOrder = (...batches: Said[][][]) => {
      const copy = model.copy()
      const answers = batches.map(batch => batch.map(said => copy.take(said)))

      return { copy, answers }
    }
    const [oneFirst, otherFirst] = [inOrder(this.one, this.other), inOrder(this.other, this.one)]
    const isOneFirst = JSON.stringify([one.answers, other.answers]) === JSON.stringify(oneFirst.answers)

    differ([one.answers, other.answers], isOneFirst ? oneFirst.answers : otherFirst.answers.toReversed())
    const found = await real.store.kept(real.projectId)
    const expected = [oneFirst, otherFirst].map(({ copy }) => copy.alerts)

    model.alerts = expected.find(alerts => JSON.stringify(alerts) === JSON.stringify(found)) ?? expected[0]!
    differ(found, model.alerts)
  }
  toString = () => `together: ${JSON.stringify([this.one, this.other])}`
}

const commands = fc.commands(
  [
    requests.map(batch => new Send(batch)),
    requests.map(batch => new Send(batch)),
    fc.constant(new SendAgain()),
    requests.map(batch => new CutShort(batch)),
    fc.constantFrom('acknowledged', 'ignored', 'resolved').map(status => new SomebodyChanges(status)),
    fc.tuple(requests, requests).map(([one, other]) => new SendTogether(one, other))
  ],
  { maxCommands: 8 }
)

t.test('the store differs in nothing from the model, whatever is sent, repeated, cut short and changed', async t => {
  const store = await aStore(t)
  const sameAsModel = fc.asyncProperty(commands, async commands => {
    const projectId = await store.aProject()

    await fc.asyncModelRun(
      () => ({ model: new Model(), real: { projectId, store, last: { requests: [], answers: [], news: [] } } }),
      commands
    )
  })

  await t.resolves(fc.assert(sameAsModel, { numRuns }))
})

t.test('a batch may be about many projects, one of which is gone', async t => {
  const { aProject, work, kept, platform } = await aStore(t)
  const [one, other, gone] = [await aProject(), await aProject(), await aProject()]
  const fires = [{ what: 'cpu', isOver: false }]

  await platform.pool.query('DELETE FROM projects WHERE id = $1', [gone])
  const { answers, news } = await work([aRequest(other, fires), aRequest(gone, fires), aRequest(one, fires), aRequest(other, fires)])

  t.same(answers, [[1], [], [1], [1]])
  t.match(news, [
    { iid: 1, became: 'triggered', projectId: other },
    { iid: 1, became: 'triggered', projectId: one }
  ])
  t.match(await kept(other), [{ events: 2 }])
  t.match(await kept(one), [{ events: 1 }])
})
