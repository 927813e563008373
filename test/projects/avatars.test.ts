import t from 'tap'
import { deleteOrphanProjectAvatars } from '#projects/deletion/delete-orphan-avatars.ts'
import { openApp, rootToken } from '../support/world.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

t.test('projects and groups have avatars, which are uploaded, replaced, shown and removed', async t => {
  const { app, call, platform, config } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', namespace_id: group.id })
  const upload = async (url: string, data: Buffer, name = 'a.png') => {
    const payload = new FormData()

    payload.append('avatar', new Blob([data as never]), name)
    const response = await app.inject({ method: 'PUT', url: `/api/v4${url}`, payload, headers: { 'private-token': rootToken } })

    return { status: response.statusCode, body: response.json() }
  }
  const shown = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode

  for (const [kind, path] of [
    ['project', `/projects/${project.id}`],
    ['group', `/groups/${group.id}`]
  ] as const) {
    const first = (await upload(path, png)).body.avatar_url

    t.match(first, new RegExp(`^http://tocsin.test/uploads/-/system/${kind}/avatar/\\d+/[0-9a-f]{2}/[0-9a-f]{32}\\.png$`))
    t.equal((await call('GET', path)).body.avatar_url, first)
    const image = await app.inject({ url: `/api/v4${path}/avatar`, headers: { 'private-token': rootToken } })
    t.same([image.rawPayload, image.headers['content-type']], [png, 'image/png'])
    t.equal((await app.inject(`/api/v4${path}/avatar`)).statusCode, 404, 'the project and the group are private')
    t.equal((await call('GET', `/${kind}s?search=${kind === 'project' ? 'Shop' : 'Team'}`)).body[0].avatar_url, first)
    t.equal(await shown(first), 200)
    t.equal((await upload(path, Buffer.from('<svg/>'), 'a.png')).status, 400)
    const { avatar_url: second } = (await upload(path, png)).body
    t.not(second, first)
    await deleteOrphanProjectAvatars(platform.fork(), config, new Date(Date.now() + 7200_000))
    t.same([await shown(first), await shown(second)], [404, 200], 'the replaced file is deleted')
    t.equal((await call('PUT', path, { description: 'D' })).body.avatar_url, second, 'other changes leave it')
    if (kind === 'project') continue
    t.equal((await call('GET', `/projects/${project.id}`)).body.namespace.avatar_url, second)
  }
  for (const path of [`/projects/${project.id}`, `/groups/${group.id}`]) {
    t.equal((await call('PUT', path, { avatar: '' })).body.avatar_url, null)
    t.hasStrict(await call('GET', `${path}/avatar`), { status: 404, body: { message: '404 Avatar Not Found' } })
    t.equal((await call('PUT', path, { avatar: '' })).body.avatar_url, null, 'twice is once')
  }
})
