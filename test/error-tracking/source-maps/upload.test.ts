import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { sweepBundles } from '../../../src/error-tracking/source-maps/upload/jobs.ts'
import { eventually, openApp } from '../../support/world.ts'
import { aBundle, sha1, shop, zip } from '../fixtures/bundle.ts'
import { uploader } from './uploader.ts'

async function aShop(t: Parameters<typeof openApp>[0], env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, ...uploader(world.app) }
}

t.test('a bundle goes up in chunks, and each step says what comes next', async t => {
  const { ask, uploadParts, assemble, work, platform, project } = await aShop(t)
  const bundle = aBundle()
  const [first, second] = [bundle.subarray(0, 700), bundle.subarray(700)]
  const chunks = [sha1(first), sha1(second)]
  const step = async () => (await assemble(bundle, ['shop'], { version: 'shop@1', dist: null }, chunks)).body

  t.match((await ask('GET', 'organizations/root/chunk-upload/')).body, {
    url: 'http://tocsin.test/api/0/organizations/root/chunk-upload/',
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2']
  })
  t.match(await step(), { state: 'not_found', missingChunks: chunks })
  t.match(await uploadParts([['file', chunks[0]!, first]]), { status: 200 })
  t.match(await step(), { state: 'not_found', missingChunks: [chunks[1]] })
  t.match(await uploadParts([['file_gzip', chunks[1]!, gzipSync(second)]]), { status: 200 })
  t.match(await step(), { state: 'created', missingChunks: [] })
  t.match(await step(), { state: 'created', missingChunks: [] }, 'nobody works on it yet')

  await work('maintenance')
  await eventually(async () => (await step()).state === 'ok', 'it is put together')
  const { rows } = await platform.pool.query('SELECT project_id, url, debug_id, script IS NOT NULL AS whole FROM source_maps')
  t.match(rows, [{ project_id: project.id, url: '~/assets/app.js', debug_id: /^58f1e4d7-/, whole: true }])
  await eventually(async () => (await platform.pool.query('SELECT FROM artifact_chunks')).rowCount === 0, 'chunks that served are gone')
})

t.test('twice is once, another release is another upload, and one upload serves several projects', async t => {
  const { upload, assemble, uploadParts, call, work, platform, project } = await aShop(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const bundle = aBundle()
  const count = async () => (await platform.pool.query('SELECT FROM source_maps')).rowCount

  await work('maintenance')
  t.match(await upload(bundle, 'shop'), { state: 'ok' })
  t.match(await upload(bundle, 'root/shop'), { state: 'ok' }, 'by its full path')
  t.match(await upload(bundle, project.id), { state: 'ok' }, 'by its id')
  t.equal(await count(), 1)
  t.match(await upload(bundle, 'shop', { version: 'shop@2' }), { state: 'ok' })
  t.equal(await count(), 2)
  await uploadParts([['file', sha1(bundle), bundle]])
  const both = async () => (await assemble(bundle, [project.id, other.path], { version: 'shop@3' })).body.state === 'ok'
  await eventually(both, 'both have it')
  t.equal(await count(), 4)
})

t.test('what is not a sound bundle is an error with a reason, and nothing of it is kept', async t => {
  const { upload, work, platform } = await aShop(t, { ARTIFACT_BUNDLE_MAX_BYTES: '1048576' })
  const bomb = { 'manifest.json': '{"files":{"a":{"type":"minified_source","url":"~/a"}}}', a: '0'.repeat(11 << 20) }

  await work('maintenance')
  for (const [bundle, reason] of [
    [Buffer.from('no zip at all'), /not a sound zip/],
    [zip({ a: 'b' }), /no manifest.json/],
    [zip({ 'manifest.json': '[]' }), /no manifest.json/],
    [zip({ '../../etc/passwd': 'x', 'manifest.json': '{"files":{}}' }), /not a sound zip.*relative path/],
    [zip(bomb), /have more than 10485760 bytes/],
    [zip(bomb, bytes => Math.min(bytes, 100)), /not a sound zip.*too many bytes/]
  ] as const) {
    const { state, detail } = await upload(bundle, 'shop')

    t.equal(state, 'error')
    t.match(detail, reason)
  }
  t.equal((await platform.pool.query('SELECT FROM source_maps')).rowCount, 0)
})

t.test('chunks are what their names say, bounded, and nobody else can use them', async t => {
  const { uploadParts, ask, assemble, call, app } = await aShop(t, { ARTIFACT_BUNDLE_MAX_BYTES: '1048576' })
  const content = Buffer.from('content')
  const large = Buffer.alloc((2 << 20) + 1)
  const refused = async (parts: Parameters<typeof uploadParts>[0], detail: RegExp) =>
    t.match(await uploadParts(parts), { status: 400, body: { detail } })

  await refused([['file', sha1(Buffer.from('other')), content]], /must be the SHA-1/)
  await refused([['file_gzip', sha1(content), content]], /must be gzip/)
  await refused([['file_gzip', sha1(large), gzipSync(large)]], /must be gzip of 2097152 bytes at most/)
  await refused([['chunk', sha1(content), content]], /must be named/)
  await refused([], /There is no chunk|not valid multipart/)
  t.match(await ask('POST', 'organizations/root/artifactbundle/assemble/', { checksum: 'x' }), {
    status: 400,
    body: { detail: /checksum/ }
  })
  t.match(await ask('GET', 'nowhere/'), { status: 404, body: { detail: '404 Not Found' } })

  const megabyte = (n: number) => Buffer.alloc(1 << 20, n)
  for (const n of [1, 2, 3, 4]) t.match(await uploadParts([['file', sha1(megabyte(n)), megabyte(n)]]), { status: 200 })
  t.match(await uploadParts([['file', sha1(megabyte(5)), megabyte(5)]]), { status: 413, body: { detail: /Too many chunks/ } })
  t.match((await assemble(megabyte(9), ['shop'], {}, [sha1(megabyte(1)), sha1(megabyte(2))])).body, {
    state: 'error',
    detail: /2097152 bytes; 1048576/
  })

  const { body: token } = await call('POST', '/projects/root%2Fshop/access_tokens', { name: 'ci', scopes: ['api'], access_level: 30 })
  const robot = uploader(app, 'root', token.token)
  t.match((await robot.assemble(megabyte(1), ['shop'])).body, { state: 'not_found', missingChunks: [sha1(megabyte(1))] })
})

t.test('releases can be announced and finished, as the older and the newer clients do it', async t => {
  const { ask, platform, project } = await aShop(t)

  t.match(await ask('GET', ''), { status: 200, body: { user: { username: 'root' }, auth: { scopes: ['api'] } } })
  t.match(await ask('POST', 'projects/root/shop/releases/', { version: 'shop@1' }), {
    status: 201,
    body: { version: 'shop@1', projects: [{ slug: 'shop' }] }
  })
  t.match(await ask('PUT', 'projects/root/shop/releases/shop%401/', { dateReleased: '2026-11-21T00:00:00Z' }), { status: 200 })
  t.match(await ask('POST', 'organizations/root/releases/', { version: 'shop@2', projects: [project.id] }), { status: 201 })
  t.match(await ask('PUT', 'organizations/root/releases/shop@2/', { projects: ['shop'], commits: [] }), { status: 200 })
  t.match(await ask('GET', 'organizations/root/repos/?cursor='), { status: 200, body: [] })
  const { rows } = await platform.pool.query('SELECT version FROM error_releases ORDER BY 1')
  t.same(rows, [{ version: 'shop@1' }, { version: 'shop@2' }])
})

t.test('what nothing uses any more is swept, and what takes too much room makes way', async t => {
  const { upload, uploadParts, work, platform } = await aShop(t, { ARTIFACT_PROJECT_MAX_BYTES: '1048576' })
  const { pool, queues } = platform
  const releases = async () => (await pool.query('SELECT release FROM artifact_bundles ORDER BY 1')).rows.map(({ release }) => release)
  const large = aBundle(shop({ content: JSON.stringify({ noise: randomBytes(700_000).toString('base64') }) }))

  await work('maintenance')
  for (const version of ['1', '2']) await upload(large, 'shop', { version })
  t.same(await releases(), ['2'], 'the one used longest ago made way')
  await upload(aBundle(), 'shop', { version: '3' })
  await uploadParts([['file', sha1(Buffer.from('left')), Buffer.from('left')]])
  await pool.query(`UPDATE artifact_bundles SET used_at = now() - interval '91 days' WHERE release = '2';
    UPDATE artifact_chunks SET created_at = now() - interval '25 hours'`)

  await queues.enqueue(sweepBundles, {})
  await eventually(async () => (await releases()).length === 1, 'it is swept')
  t.same(await releases(), ['3'])
  t.equal((await pool.query('SELECT FROM artifact_chunks')).rowCount, 0)
})
