import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { connectAgent } from './agent.ts'

const maxResult = 30_000

interface Result {
  text: string
  data: object
}

/** Clients show the model one or the other. */
function isBounded(t: Test, { text, data }: Result, name: string) {
  const json = JSON.stringify(data).length

  t.ok(text.length <= maxResult, `${name}: ${text.length} characters of Markdown`)
  t.ok(json <= maxResult, `${name}: ${json} characters of JSON`)
}

async function openShop(t: Test) {
  const world = await openProject(t)

  const { use } = await connectAgent(t, world.app)

  return { ...world, use, project: String(world.project.id) }
}

/** Each character needs six in JSON. */
const control = '\u0001'

t.test('an error with long texts and many comments is cut to fit, and says where the rest is', async t => {
  const { call, path, project, send, untilStored, use } = await openShop(t)
  const frames = Array.from({ length: 60 }, (_, n) => ({ function: `step${n} ${control.repeat(150)}`, filename: 'src/cart.ts', lineno: n }))

  await send(
    anEnvelope({
      event_id: 'a'.repeat(32),
      ...{ exception: { values: [{ type: 'Overflow', value: control.repeat(5000), stacktrace: { frames } }] } }
    })
  )
  const [{ fingerprint: id }] = await untilStored(1)

  for (let n = 1; n <= 12; n++) await call('POST', `${path}/errors/${id}/comments`, { body: `comment ${n} ${'x'.repeat(9900)}` })
  const result = await use('get_error', { project, error_id: id })
  const { comments, earlier_comments, left_out } = result.data

  isBounded(t, result, 'get_error')
  t.equal(comments.length, 10)
  t.ok(comments.at(-1).body.startsWith('comment 12 x'), 'the last comments')
  t.ok(comments.at(-1).body.endsWith('more characters were left out: see list_comments)'))
  t.equal(earlier_comments, 'See list_comments.')
  t.match(left_out, /^Left out to fit: characters of latest_event\.stack_trace.*list_comments has/)
  t.ok(result.text.includes(left_out), 'the Markdown says the same')
  t.ok(result.text.includes('get_event with part has the stack trace'))
})

t.test('every character of a long part can be read', async t => {
  const { project, send, untilStored, use } = await openShop(t)
  const lines = Array.from({ length: 4000 }, (_, n) => `${n} ${n % 7 === 0 ? control : '😀'}`).join('\n')
  const frames = Array.from({ length: 50 }, (_, n) => ({
    function: `step${n}`,
    filename: `src/${'x'.repeat(100)}.ts`,
    lineno: n + 3,
    context_line: `call${n}(${'a, '.repeat(60)})`,
    vars: { order: `order ${n}` }
  }))

  await send(anEnvelope({ event_id: 'a'.repeat(32), message: 'boom', extra: { lines }, stacktrace: { frames } }))
  const [{ fingerprint: id }] = await untilStored(1)
  const readAll = async (part: string) => {
    const parts: string[] = []
    let offset: number | null = 0

    while (offset !== null) {
      const result = await use('get_event', { project, error_id: id, part, offset })

      isBounded(t, result, `get_event ${part} ${offset}`)
      t.equal(result.isError, false, result.text)
      parts.push(result.data.text)
      offset = result.data.next_offset
    }

    return parts
  }
  const extra = await readAll('extra')
  const trace = (await readAll('stack_trace')).join('')

  t.ok(extra.length > 0)
  t.type(JSON.parse(extra.join('')).lines, 'string')
  t.equal(extra.join('').isWellFormed(), true)
  for (let n = 0; n < 50; n++) t.ok(trace.includes(`at step${n} (`), `frame ${n}`)
  t.ok(trace.includes('order = order 49'), 'frames of libraries have their variables, too')
  const { event } = (await use('get_event', { project, error_id: id })).data

  t.match(event.stack_trace, '… 20 more frames')
  t.equal((await use('get_event', { project, error_id: id, part: 'contexts' })).text, 'contexts, characters 0 to 0 of 0\n\nIt is empty.')
  t.match((await use('get_event', { project, error_id: id, part: 'extra', offset: 10_000_000 })).text, 'offset is beyond the end')
  t.match((await use('get_event', { project, error_id: id, offset: 1 })).text, 'offset requires part')
})

t.test('comments are read in full, page by page', async t => {
  const { call, path, project, send, untilStored, use } = await openShop(t)

  await send(anEnvelope({ event_id: 'a'.repeat(32), message: 'boom' }))
  const [{ fingerprint: id }] = await untilStored(1)
  const bodies = Array.from({ length: 7 }, (_, n) => `comment ${n} ${'x'.repeat(9000)}`)

  for (const body of bodies) await call('POST', `${path}/errors/${id}/comments`, { body })
  const read: { body: string; author: string }[] = []
  let cursor: string | null | undefined

  while (cursor !== null) {
    const result = await use('list_comments', { project, on: 'error', id, ...(cursor && { cursor }) })

    isBounded(t, result, 'list_comments')
    read.push(...result.data.comments)
    cursor = result.data.next_cursor
    if (cursor) t.ok(result.text.includes(cursor), 'the Markdown has the cursor, too')
  }
  t.same(
    read.map(({ body }) => body),
    bodies
  )
  t.equal(read[0]!.author, 'root')
})

t.test('alerts and incidents with long texts are cut to fit, in lists, too', async t => {
  const {
    app,
    call,
    project: { id },
    send,
    work
  } = await openAlertedProject(t)
  const project = String(id)
  const path = `/projects/${id}`
  const long = (name: string) => `${name} ${'<long> "quoted"\n'.repeat(500)}`

  await work('incidents')
  for (let n = 0; n < 4; n++) {
    await send({
      title: `Disk ${n} ${'t'.repeat(180)}`,
      description: long('description'),
      hosts: ['h'.repeat(200)],
      payload: long('payload')
    })
  }
  const { body: incident } = await call('POST', `${path}/alert_management_alerts/1/incident`)

  await call('PUT', `${path}/issues/${incident.iid}`, { description: long('what happened').repeat(20) })
  for (let n = 0; n < 25; n++) {
    await call('POST', `${path}/issues/${incident.iid}/notes`, { body: long(`note ${n}`) })
    await call('POST', `${path}/alert_management_alerts/1/notes`, { body: long(`note ${n}`) })
  }
  const { use } = await connectAgent(t, app)
  const uses: [string, object][] = [
    ['list_alerts', { limit: 50 }],
    ['get_alert', { alert_iid: 1 }],
    ['update_alert', { alert_iid: 1, assignee: 'root' }],
    ['list_incidents', { limit: 50, state: 'all' }],
    ['get_incident', { incident_iid: incident.iid }],
    ['update_incident', { incident_iid: incident.iid, assignee: 'me' }],
    ['list_comments', { on: 'incident', id: incident.iid, limit: 50 }],
    ['list_comments', { on: 'alert', id: 1, limit: 50 }]
  ]

  for (const [name, args] of uses) {
    const result = await use(name, { project, ...args })

    t.equal(result.isError, false, result.text)
    isBounded(t, result, name)
  }
  const { data: shown } = await use('get_incident', { project, incident_iid: incident.iid })

  t.equal(shown.notes.length, 20)
  t.equal(shown.earlier_notes, 'See list_comments.')
  t.ok(shown.incident.description.endsWith('left out: see part description)'))
  const first = await use('get_incident', { project, incident_iid: incident.iid, part: 'description' })
  const second = await use('get_incident', { project, incident_iid: incident.iid, part: 'description', offset: first.data.next_offset })

  t.equal((first.data.text + second.data.text).slice(0, 30_000), long('what happened').repeat(20).slice(0, 30_000))
  t.match((await use('get_alert', { project, alert_iid: 1, part: 'details' })).data.text, '"payload": "payload <long>')
})

t.test('a page of a list ends where the result would be too long', async t => {
  const { app, call, project } = await openAlertedProject(t)
  const issue = { title: `Incident ${'t'.repeat(240)}`, description: 'd'.repeat(300), issue_type: 'incident' }

  for (let n = 0; n < 50; n++) await call('POST', `/projects/${project.id}/issues`, issue)
  const { use } = await connectAgent(t, app)
  const iids: number[] = []
  let pages = 0
  let cursor: string | null | undefined

  while (cursor !== null) {
    const result = await use('list_incidents', { project: String(project.id), limit: 50, ...(cursor && { cursor }) })

    isBounded(t, result, 'list_incidents')
    iids.push(...result.data.incidents.map(({ iid }: { iid: number }) => iid))
    cursor = result.data.next_cursor
    pages++
  }
  t.equal(pages, 2)
  t.same(
    iids,
    Array.from({ length: 50 }, (_, n) => 50 - n),
    'no row is skipped or repeated'
  )
})
