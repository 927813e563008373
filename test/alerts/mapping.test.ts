import { createHash } from 'node:crypto'
import t from 'tap'
import type { Mapping } from '#alerts/parse/mapping.ts'
import { parsePayload } from '#alerts/parse/parse-payload.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { anItem, aWebhook } from './alerting.ts'

const receivedAt = new Date('2026-11-21T12:00:00Z')
const parse = (mapping: Mapping, payload: unknown) =>
  parsePayload(JSON.stringify(payload), { receivedAt, mapping, isFingerprinting: true }).alerts
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

t.test('a status with a value table resolves, triggers and skips', async t => {
  const status: Mapping = {
    status: [{ path: ['state', 'value'], values: { ok: 'resolved', ALARM: 'triggered', 2: 'skipped', 3: 'resolved' } }]
  }
  const ends = (value: unknown, members = {}) =>
    parse(status, { state: { value }, ...members }).map(({ endedAt }) => endedAt?.toISOString())

  t.same(ends('OK'), [receivedAt.toISOString()], 'without an end time, at the time of receipt')
  t.same(ends('OK', { end_time: '2026-11-21T11:00:00Z' }), ['2026-11-21T11:00:00.000Z'])
  t.same(ends(3), [receivedAt.toISOString()])
  t.same(ends('alarm', { end_time: '2026-11-21T11:00:00Z' }), [undefined], 'a triggered alert has not ended')
  t.same(ends(2), [])
  t.same(ends('other'), [undefined])
  t.same(
    ends('other', { end_time: '2026-11-21T11:00:00Z' }),
    ['2026-11-21T11:00:00.000Z'],
    'a value that is not in the table decides nothing'
  )
  t.same(ends(['OK']), [undefined])
  t.same(parse({}, { status: 'resolved' })[0]?.endedAt, undefined, 'without a mapping, status means nothing')
  t.same(parse({ status: [['status']] }, { status: 'Resolved' })[0]?.endedAt, receivedAt)

  const item = (value: string) => aWebhook([anItem({ state: { value } })])
  t.same(
    parse(status, item('OK')).map(({ endedAt }) => endedAt),
    [receivedAt],
    'the mapping decides before the status of a metrics item'
  )
  t.same(parse(status, item('2')), [])
  t.equal(parse(status, aWebhook([anItem({ status: 'resolved', state: { value: 'ALARM' } })]))[0]?.endedAt, undefined)
})

t.test('a value table translates severities, and an asterisk stands for all other values', async t => {
  const severity = (values: Record<string, string>, value: unknown) =>
    parse({ severity: [{ path: ['level'], values }] }, { level: value })[0]?.severity

  t.equal(severity({ 4: 'critical', 2: 'medium' }, 2), 'medium')
  t.equal(severity({ red: 'p1', '*': 'info' }, 'RED'), 'critical')
  t.equal(severity({ red: 'p1', '*': 'info' }, 'green'), 'info')
  t.equal(severity({ red: 'low' }, 'green'), 'critical', 'a missing severity is critical')
  t.equal(severity({ '*': 'info' }, null), 'critical', 'an absent value is not another value')
})

t.test('constants, joined paths and templates set attributes, and the first present source counts', async t => {
  const mapping: Mapping = {
    title: [{ template: '{check.name} on {hosts[1].name} is {state}' }, { template: '{check.name}: {tags}' }],
    description: [{ join: [['check', 'name'], ['missing'], ['state']] }],
    service: [{ join: [['check', 'name'], ['state']], separator: '/' }],
    monitoring_tool: [{ constant: 'Checker' }],
    hosts: [
      {
        join: [
          ['hosts', 0, 'name'],
          ['hosts', 1, 'name']
        ]
      }
    ],
    fingerprint: [{ join: [['check', 'name'], ['id']] }]
  }
  const check = { name: 'disk' }
  const hosts = [{ name: 'a' }, { name: 'b' }]

  hasExactly(t, parse(mapping, { check, hosts, state: 'DOWN', id: 7 }), [
    {
      title: 'disk on b is DOWN',
      description: 'disk DOWN',
      service: 'disk/DOWN',
      monitoringTool: 'Checker',
      hosts: ['a', 'b'],
      fingerprint: sha1('["disk","7"]')
    }
  ])
  hasExactly(t, parse(mapping, { check, tags: ['x', 'y'] }), [{ title: 'disk: x, y', fingerprint: sha1('disk') }])
  hasExactly(t, parse(mapping, { check, tags: [] }), [{ title: 'New: Alert' }], 'a template without all its fields is absent')
})

t.test('a rule with a condition applies only to payloads that meet it', async t => {
  const when = { path: ['type'], is: ['comment', 'Ack'] }
  const mapping: Mapping = {
    status: [{ constant: 'skipped', when }],
    title: [{ path: ['text'], when: { path: ['version'], is: ['2'] } }, ['name']]
  }

  t.same(parse(mapping, { type: 'ACK', name: 'x' }), [])
  hasExactly(t, parse(mapping, { type: 'problem', name: 'x', text: 'y' }), [{ title: 'x' }])
  hasExactly(t, parse(mapping, { name: 'x', text: 'y', version: 2 }), [{ title: 'y' }])
})

t.test('a path leads into JSON inside a text', async t => {
  const mapping: Mapping = {
    title: [['Message', 'AlarmName']],
    description: [{ template: '{Message.Trigger[0].id}' }],
    fingerprint: [['Message', 'id']]
  }
  const message = '{"AlarmName": "cpu", "Trigger": [{"id": "{\\"no\\": 1}"}], "id": 12345678901234567890}'

  hasExactly(t, parse(mapping, { Message: message }), [
    { title: 'cpu', description: '{"no": 1}', fingerprint: sha1('12345678901234567890') }
  ])
  for (const Message of ['{"AlarmName": ', '"cpu"', 'cpu', `${'['.repeat(200)}${']'.repeat(200)}`, 5]) {
    hasExactly(t, parse(mapping, { Message, title: 'Default' }), [{ title: 'Default' }])
  }
})

t.test('the content fingerprint leaves out what the status is read from', async t => {
  const mapping: Mapping = { status: [{ path: ['state'], values: { ok: 'resolved', bad: 'triggered' } }], hosts: [{ template: '{node}' }] }
  const fingerprint = (payload: object) => parse(mapping, payload)[0]?.fingerprint

  t.equal(fingerprint({ name: 'x', state: 'bad', node: 'a' }), fingerprint({ name: 'x', state: 'ok', node: 'b' }))
  t.not(fingerprint({ name: 'x', state: 'bad' }), fingerprint({ name: 'y', state: 'bad' }))
})
