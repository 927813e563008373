import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { openProvider } from '../oauth/provider.ts'
import { someStorages } from '../storage-moves/some-storages.ts'
import { eventually, openApp } from '../support/world.ts'
import { prove } from './prove.ts'
import { transitions } from './statements/states.ts'

const provider = await openProvider(t)
const client = await provider.register()
const { call } = await openApp(t)
const { body: project } = await call('POST', '/projects', { name: 'Shop' })
const tracking = `/projects/${project.id}/error_tracking`

prove(t, transitions, {
  'refresh of tokens': async t => {
    const first = await provider.authorize(client)

    await provider.platform.pool.query(`UPDATE oauth_tokens SET expires_at = now() - interval '1 hour'`)
    const { status, body } = await provider.refresh(client, first.refresh_token)

    t.equal(status, 200, 'also after the end of the access token')
    t.equal(await provider.statusWith(body.access_token), 200)
    t.equal(await provider.statusWith(first.access_token), 401)
    t.equal((await provider.refresh(client, first.refresh_token)).status, 400)
  },
  'access token: creation': async t => t.equal((await provider.authorize(client)).expires_in, 7200),
  'access token: revocation': async t => {
    const { access_token: token } = await provider.authorize(client)
    const form = { client_id: client.client_id, client_secret: client.client_secret, token }

    t.hasStrict(await provider.post('revoke', form), { status: 200, body: {} })
    t.equal(await provider.statusWith(token), 401)
  },
  'alert: resolved': async t => {
    const { send, alerts } = await openAlertedProject(t)

    await send({ title: 'Down' })
    await send({ title: 'Down', end_time: '2026-11-21T10:00:00Z' })
    t.equal((await alerts())[0]!.status, 'resolved')
  },
  'alert: repeated': async t => {
    const { send, alerts } = await openAlertedProject(t)

    await send({ title: 'Down', start_time: '2026-01-01', hosts: ['a'] })
    await send({ title: 'Down', start_time: '2026-01-02', hosts: ['b'] })
    t.same(
      (await alerts()).map(({ events }) => events),
      [2]
    )
  },
  'alert: repeated after its end': async t => {
    const { send, alerts } = await openAlertedProject(t)

    for (const payload of [{ title: 'Down' }, { title: 'Down', end_time: '2026-11-21T10:00:00Z' }, { title: 'Down' }]) await send(payload)
    t.same(
      (await alerts()).map(({ status }) => status),
      ['resolved', 'triggered']
    )
  },
  'alert integration: toggled': async t => {
    const { send, call, project, integration } = await openAlertedProject(t)
    const toggle = (active: boolean) => call('PUT', `/projects/${project.id}/alert_integrations/${integration.id}`, { active })

    const answers = (status: number) =>
      eventually(async () => (await send({ title: 'Down' })).statusCode === status, `alerts are answered with ${status}`)

    await toggle(false)
    await answers(403)
    await toggle(true)
    await answers(200)
  },
  'error-tracking settings: changed': async t => {
    t.hasStrict((await call('PUT', `${tracking}/settings`, { active: true, integrated: true })).body, { active: true, integrated: true })
    t.hasStrict((await call('PATCH', `${tracking}/settings`, { active: false })).body, { active: false, integrated: true })
  },
  'client key: created': async t => {
    const { body } = await call('POST', `${tracking}/client_keys`)

    t.equal(body.active, true)
    t.match(body.public_key, /^glet_[0-9a-f]{32}$/)
  },
  'client key: deleted': async t => {
    const { body } = await call('POST', `${tracking}/client_keys`)

    await call('DELETE', `${tracking}/client_keys/${body.id}`)
    t.notOk((await call('GET', `${tracking}/client_keys`)).body.some(({ id }: { id: number }) => id === body.id))
  },
  'storage move: scheduled': async t => {
    const { call, project, commit, schedule } = await someStorages(t)

    await commit()
    t.equal((await schedule()).state, 'scheduled')
    const { status } = await call('POST', `/projects/${project.id}/repository/branches?branch=other&ref=main`)

    t.ok(status >= 400 && status < 600 && status !== 500, `a write answers ${status}`)
    t.equal((await call('GET', `/projects/${project.id}/repository/branches/other`)).status, 404)
  },
  'storage move: finished': async t => {
    const { call, project, commit, schedule, run, state } = await someStorages(t)

    await commit()
    const { id } = await schedule()

    await run(id)
    t.equal((await state(id)).state, 'finished')
    t.equal((await call('POST', `/projects/${project.id}/repository/branches?branch=other&ref=main`)).status, 201, 'writable again')
  }
})
