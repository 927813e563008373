import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, onBothBackends } from '../support/world.ts'

const changed = {
  events_per_minute: 500,
  spike_protection: false,
  scrubbing: false,
  scrubbed_keys: ['employee number', 'Steuer-ID'],
  safe_keys: ['token_count'],
  keep_ip_addresses: false,
  retention_days: 7
}

t.test('an update changes only the given settings', async t => {
  const { call, path } = await openProject(t)
  const defaults = {
    events_per_minute: null,
    spike_protection: true,
    scrubbing: true,
    scrubbed_keys: [],
    safe_keys: [],
    keep_ip_addresses: true,
    retention_days: null
  }

  hasExactly(t, (await call('GET', `${path}/settings`)).body, defaults)
  t.hasStrict((await call('PATCH', `${path}/settings`, { active: true, ...changed })).body, changed)
  t.hasStrict((await call('PATCH', `${path}/settings`, { active: false })).body, { active: false, ...changed })
  t.hasStrict(
    (await call('PUT', `${path}/settings`, { active: true, integrated: true, retention_days: null, events_per_minute: null })).body,
    {
      ...changed,
      active: true,
      retention_days: null,
      events_per_minute: null
    }
  )
  t.hasStrict((await call('GET', `${path}/settings`)).body, { ...changed, retention_days: null, events_per_minute: null })
})

t.test('an invalid setting is refused by its name', async t => {
  const { call, path } = await openProject(t, { env: { EVENT_RETENTION_DAYS: '30' } })
  const bad: Record<string, unknown> = {
    events_per_minute: 0,
    spike_protection: 'perhaps',
    scrubbed_keys: ['--'],
    safe_keys: Array.from({ length: 101 }, (_, n) => `key${n}`),
    keep_ip_addresses: 2,
    retention_days: 31
  }

  for (const [name, value] of Object.entries(bad)) {
    const { status, body } = await call('PATCH', `${path}/settings`, { active: true, [name]: value })

    t.equal(status, 400, name)
    t.ok(body.message[name], JSON.stringify(body))
  }
  const { body } = await call('PATCH', `${path}/settings`, { active: true, retention_days: 31 })
  t.same(body.message, { retention_days: ['must be at most 30, the retention of this installation (EVENT_RETENTION_DAYS)'] })
})

t.test('a client key has a name and a quota, and can be deactivated', async t => {
  const { call, path, send, key } = await openProject(t)
  const { body: made } = await call('POST', `${path}/client_keys`, { name: 'Website', events_per_minute: 20 })

  t.hasStrict(made, { name: 'Website', events_per_minute: 20, active: true })
  t.hasStrict((await call('PUT', `${path}/client_keys/${made.id}`, { name: 'Shop', events_per_minute: null })).body, {
    name: 'Shop',
    events_per_minute: null,
    active: true
  })
  for (const [changes, named] of [
    [{}, 'name, events_per_minute, allowed_origins, active are missing, at least one parameter must be provided'],
    [{ events_per_minute: -1 }, 'events_per_minute must be greater than or equal to 1'],
    [{ name: 'x'.repeat(101) }, 'name is too long (maximum is 100 characters)']
  ] as const) {
    const { status, body } = await call('PUT', `${path}/client_keys/${made.id}`, changes)

    t.equal(status, 400)
    t.hasStrict(body.error, named)
  }
  await call('PUT', `${path}/client_keys/${key.id}`, { active: false })
  await eventually(async () => (await send(anEnvelope())).statusCode === 403, 'it is off')
  await call('PUT', `${path}/client_keys/${key.id}`, { active: true })
  await eventually(async () => (await send(anEnvelope())).statusCode === 200, 'it is on')
})

onBothBackends(t, 'the worker scrubs by what a project says, and by what it says later', async (t, kind) => {
  const { call, path, send, untilStored } = await openProject(t, { kind })
  const event = () => ({
    event_id: anEventId(),
    ...anException(),
    extra: { password: 'hunter2', steuer_id: '12 345 678 901', token_count: 'a secret, by its name' },
    user: { id: '17', ip_address: '192.0.2.7' }
  })
  let events = 0

  const sendOne = async (): Promise<{ extra: Record<string, string>; user: Record<string, string> }> => {
    await send(anEnvelope(event()))
    const [error] = await untilStored(++events)
    const { body } = await call('GET', `${path}/errors/${error.fingerprint}/events?sort=occurred_at_desc`)

    return JSON.parse(body[0].payload)
  }
  /** A worker hears of a change a moment after it was answered. */
  const sendUntil = async (isSo: (sent: Awaited<ReturnType<typeof sendOne>>) => boolean) => {
    let sent = await sendOne()

    for (let patience = 50; patience > 0 && !isSo(sent); patience--) sent = await sendOne()

    return sent
  }

  const usual = await sendOne()
  await call('PATCH', `${path}/settings`, { active: true, ...changed, events_per_minute: null, scrubbing: true, safe_keys: ['extra'] })
  const custom = await sendUntil(({ extra }) => extra.password === 'hunter2')
  await call('PATCH', `${path}/settings`, { active: true, scrubbing: false, safe_keys: [], keep_ip_addresses: true })
  const off = await sendUntil(({ user }) => user.ip_address !== undefined)

  t.hasStrict(usual, { extra: { password: '[Filtered]', steuer_id: '12 345 678 901' }, user: { ip_address: '192.0.2.7' } })
  t.hasStrict(custom, { extra: { password: 'hunter2', steuer_id: '12 345 678 901' } }, 'all under a safe key')
  t.notHas(custom.user, { ip_address: '192.0.2.7' })
  t.hasStrict(off, { extra: { password: 'hunter2', steuer_id: '12 345 678 901' }, user: { ip_address: '192.0.2.7' } })
  await call('PATCH', `${path}/settings`, { active: true, scrubbing: true })
  const extra = await sendUntil(({ extra }) => extra.steuer_id === '[Filtered]')
  t.hasStrict(extra, { extra: { password: '[Filtered]', steuer_id: '[Filtered]' } })
})

t.test('changes of settings and client keys are audited without secrets', async t => {
  const { call, path, project } = await openProject(t)
  const { body: key } = await call('POST', `${path}/client_keys`, { name: 'Shop' })

  await call('PATCH', `${path}/settings`, { active: true, retention_days: 7 })
  await call('PUT', `${path}/client_keys/${key.id}`, { events_per_minute: 5 })
  await call('DELETE', `${path}/client_keys/${key.id}`)
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events`)
  const changes = events
    .slice(0, 4)
    .map(({ event_name: name, details }: { event_name: string; details: Record<string, unknown> }) => [
      name,
      details.author_username,
      details.target_details,
      details.given
    ])

  t.strictSame(changes, [
    ['client_key_removed', 'root', 'Shop', undefined],
    ['client_key_updated', 'root', 'Shop', undefined],
    ['error_tracking_settings_updated', 'root', project.path_with_namespace, ['active', 'retention_days']],
    ['client_key_created', 'root', 'Shop', undefined]
  ])
  t.notMatch(JSON.stringify(events), key.public_key)
})
