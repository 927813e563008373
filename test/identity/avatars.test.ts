import { readdir } from 'node:fs/promises'
import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { deleteOrphanAvatars } from '#identity/users/avatars.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function anAvatarApp(t: Parameters<typeof openApp>[0]) {
  const dataDir = t.testdir()
  const world = await openApp(t, { env: { DATA_DIR: dataDir } })
  const send = async (method: 'POST' | 'PUT', url: string, data: Buffer, filename = 'me.png', fields = {}, token = rootToken) => {
    const payload = new FormData()

    for (const [name, value] of Object.entries(fields)) payload.append(name, value as string)
    payload.append('avatar', new Blob([data as never]), filename)
    const response = await world.app.inject({ method, url: `/api/v4${url}`, payload, headers: { 'private-token': token } })

    return { status: response.statusCode, body: response.json() }
  }
  const files = async () => (await readdir(dataDir, { recursive: true })).filter(name => /\.(png|gif)$/.test(name))

  return { ...world, send, files }
}

t.test('an avatar is uploaded with a new user, replaced, shown to everyone and removed', async t => {
  const { app, call, send, files, platform, config } = await anAvatarApp(t)
  const jane = { username: 'jane', name: 'Jane', email: 'jane@example.com', force_random_password: 'true' }
  const { status, body: user } = await send('POST', '/users', png, 'me.png', jane)

  t.equal(status, 201)
  t.match(user.avatar_url, new RegExp(`^http://tocsin.test/uploads/-/system/user/avatar/${user.id}/[0-9a-f]{2}/[0-9a-f]{32}\\.png$`))
  const shown = await app.inject(new URL(user.avatar_url).pathname)

  t.equal(shown.statusCode, 200)
  t.same(shown.rawPayload, png)
  t.hasStrict(shown.headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox"
  })

  const gif = Buffer.from('474946383961010001000000', 'hex')
  const { body: replaced } = await send('PUT', `/users/${user.id}`, gif, 'ME.GIF', { bio: 'B' })
  t.match(replaced, { bio: 'B', avatar_url: /\.gif$/ })
  t.equal((await call('GET', '/users?username=jane')).body[0].avatar_url, replaced.avatar_url)

  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  await call('POST', `/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
  t.equal((await call('GET', `/projects/${project.id}/members/${user.id}`)).body.avatar_url, replaced.avatar_url)

  t.equal((await files()).length, 2)
  await deleteOrphanAvatars(platform.fork(), config, new Date(Date.now() + 7200_000))
  t.equal((await files()).length, 1, 'the replaced file is deleted, the current one stays')
  t.equal((await app.inject(new URL(user.avatar_url).pathname)).statusCode, 404)

  t.hasStrict(await call('PUT', `/users/${user.id}`, { avatar: '' }), { status: 200, body: { avatar_url: null, bio: 'B' } })
  await deleteOrphanAvatars(platform.fork(), config, new Date(Date.now() + 7200_000))
  t.same(await files(), [])
})

t.test('users change their own avatar', async t => {
  const { app, call, send } = await anAvatarApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { status, body } = await send('PUT', '/user/avatar', png, 'me.png', {}, token)

  t.equal(status, 200)
  t.equal((await call('GET', `/users/${id}`)).body.avatar_url, body.avatar_url)
  t.hasStrict(await call('PUT', '/user/avatar', {}, token), {
    status: 400,
    body: { error: 'avatar is missing: send it as multipart/form-data' }
  })
  t.hasStrict(await call('PUT', '/user/avatar', { avatar: '' }, token), { status: 200, body: { avatar_url: null } })

  const host = await listen(app)
  const { Users } = new Gitlab({ host, token: rootToken })
  const edited = await Users.edit(id, { avatar: { content: new Blob([png as never]), filename: 'me.png' } })

  t.match(edited.avatar_url, /\.png$/, 'gitbeaker uploads it, too')
})

t.test('only images of at most 200 KiB are accepted', async t => {
  const { send, files } = await anAvatarApp(t)
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

  for (const [data, filename, status] of [
    [script, 'me.png', 400],
    [script, 'me.svg', 400],
    [png, 'me.html', 400],
    [Buffer.concat([png, Buffer.alloc(200 * 1024)]), 'me.png', 400],
    [Buffer.concat([png, Buffer.alloc(500 * 1024)]), 'me.png', 413]
  ] as const) {
    t.equal((await send('PUT', '/user/avatar', data, filename)).status, status)
  }
  t.hasStrict((await send('PUT', '/users/1', Buffer.concat([png, Buffer.alloc(200 * 1024)]))).body, {
    message: { avatar: ['is too big (should be at most 200 KiB)'] }
  })
  t.same(await files(), [])
})
