import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { deleteOrphanImages } from '#alerts/details/store-image.ts'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { rootToken } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'

t.test('alerts are acknowledged, assigned, resolved and reopened, with a note for each change', async t => {
  const { call, send, project, ...world } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts`
  const ann = await aPerson({ ...world, call }, 'ann')
  const outsider = await aPerson({ ...world, call }, 'outsider')

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await send({ title: 'Slow', fingerprint: 'slow' })

  hasExactly(t, await ann.call('PUT', `${path}/1`, { status: 'acknowledged', assignee_ids: [ann.id] }), {
    status: 200,
    body: { status: 'acknowledged', assignees: [{ username: 'ann' }] }
  })
  hasExactly(t, (await call('GET', `${path}?assignee_username=Ann`)).body, [{ iid: 1 }])
  await send({ title: 'Slow', fingerprint: 'slow' })
  t.hasStrict((await call('GET', `${path}/1`)).body, { status: 'acknowledged', event_count: 2 }, 'it is the same alert')
  const { body: resolved } = await ann.call('PUT', `${path}/1`, { status: 'resolved', assignee_id: null })
  t.match(resolved.ended_at, /Z$/)
  t.same(resolved.assignees, [])
  t.hasStrict((await ann.call('PUT', `${path}/1`, { status: 'triggered' })).body, { status: 'triggered', ended_at: null })
  t.equal((await ann.call('POST', `${path}/1/notes`, { body: 'It was me.' })).status, 201)

  const { body: notes } = await call('GET', `${path}/1/notes`)
  hasExactly(t, notes, [
    { system: true, action: 'status', body: 'changed the status to **acknowledged**', author: { username: 'ann' } },
    { system: true, action: 'assignees', body: 'assigned to @ann' },
    { system: true, action: 'status' },
    { system: true, action: 'assignees', body: 'unassigned everybody' },
    { system: true, action: 'status', body: 'changed the status to **triggered**' },
    { system: false, action: null, body: 'It was me.', author: { username: 'ann' } }
  ])
  t.hasStrict((await call('GET', `/projects/${project.id}/audit_events`)).body[0], {
    event_name: 'alert_updated',
    author_id: ann.id,
    details: { change: 'status', from: 'resolved', to: 'triggered', target_type: 'Alert', target_id: 1 }
  })

  t.equal((await call('DELETE', `${path}/1/notes/${notes[5].id}`)).status, 403, 'only the author deletes a comment')
  t.equal((await ann.call('DELETE', `${path}/1/notes/${notes[4].id}`)).status, 404, 'system notes stay')
  t.equal((await ann.call('DELETE', `${path}/1/notes/${notes[5].id}`)).status, 204)

  t.match(await call('PUT', `${path}/1`, { assignee_ids: [outsider.id] }), {
    status: 400,
    body: { message: { assignee_ids: [/not a member/] } }
  })
  t.match(await call('PUT', `${path}/1`, {}), { status: 400, body: { error: /at least one/ } })
  t.hasStrict(await call('PUT', `${path}/1`, { status: 'gone' }), { status: 400, body: { error: 'status does not have a valid value' } })
})

t.test('at most one alert of a fingerprint is open', async t => {
  const { call, send, project } = await openAlertedProject(t)
  const path = `/projects/${project.id}/alert_management_alerts`

  await send({ title: 'Slow', fingerprint: 'slow' })
  await call('PUT', `${path}/1`, { status: 'resolved' })
  await send({ title: 'Slow', fingerprint: 'slow' })

  hasExactly(t, await call('PUT', `${path}/1`, { status: 'acknowledged' }), {
    status: 400,
    body: { message: { fingerprint: ['Cannot have multiple unresolved alerts'] } }
  })
  hasExactly(t, (await call('GET', path)).body, [
    { iid: 2, status: 'triggered' },
    { iid: 1, status: 'resolved' }
  ])
})

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

t.test('a GitLab client uploads, edits and deletes metric images', async t => {
  const dataDir = t.testdir()
  const { app, send, project, config, platform, call } = await openAlertedProject(t, { env: { DATA_DIR: dataDir } })
  const host = await listen(app)
  const { AlertManagement } = new Gitlab({ host, token: rootToken })
  const files = async () =>
    (await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const upload = (content: Buffer, filename: string) =>
    AlertManagement.uploadMetricImage(
      project.id,
      1,
      { content: new Blob([content as never]), filename },
      { url: 'https://charts/1', urlText: 'Chart' }
    )

  await send({ title: 'Slow' })
  const image = await upload(png, 'chart é.png')

  t.hasStrict(image, { filename: 'chart é.png', url: 'https://charts/1', url_text: 'Chart' })
  t.match(image, { id: Number, created_at: String })
  hasExactly(t, await AlertManagement.allMetricImages(project.id, 1), [{ id: image.id }])
  t.hasStrict(await AlertManagement.editMetricImage(project.id, 1, image.id, { url: 'https://charts/2' }), {
    url: 'https://charts/2',
    url_text: 'Chart'
  })
  hasExactly(t, (await call('GET', `/projects/${project.id}/alert_management_alerts/1`)).body.metric_images, [{ id: image.id }])

  const file = await app.inject({ url: image.file_path, headers: { 'private-token': rootToken } })
  t.same(file.rawPayload, png)
  t.hasStrict(file.headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="chart _.png"; filename*=UTF-8''chart%20%C3%A9.png`
  })
  t.match(file.headers, { 'content-security-policy': /sandbox/ })
  t.equal((await app.inject(image.file_path)).statusCode, 401)

  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  await t.rejects(upload(script, 'chart.png'), { cause: { description: /its name and content must be/ } })
  await t.rejects(upload(png, 'chart.html'), { cause: { description: /its name and content must be/ } })
  await t.rejects(upload(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'chart.png'), {
    cause: { description: '400 Bad request - File is too large', response: { status: 400 } }
  })
  const at = `/projects/${project.id}/alert_management_alerts/1/metric_images`
  t.match(await call('POST', at, {}), { status: 400, body: { error: /^file is missing/ } })
  t.hasStrict(await call('PUT', `${at}/${image.id}`, { url: 'javascript:alert(1)' }), { status: 400 })
  t.equal((await files()).length, 1, 'refused uploads leave no file')

  const loose = join((await files())[0]!.parentPath, 'loose')
  await writeFile(loose, png)
  await utimes(loose, 0, 0)
  await deleteOrphanImages(platform.fork(), config, new Date(Date.now() + 7200_000))
  t.equal((await files()).length, 1, 'a file that nothing leads to goes, the other stays')

  await AlertManagement.removeMetricImage(project.id, 1, image.id)
  t.same(await files(), [])
  await t.rejects(AlertManagement.editMetricImage(project.id, 1, image.id, { url: 'https://charts/2' }), {
    cause: { description: 'Metric image not found' }
  })
})
