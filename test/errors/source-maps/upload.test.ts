import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { expireBundles } from '#errors/source-maps/upload/jobs.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { eventually, openApp } from '../../support/world.ts'
import { aBundle, debugId, sha1, shop, zip } from '../fixtures/bundle.ts'
import { uploader } from './uploader.ts'

async function openShop(t: Parameters<typeof openApp>[0], env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, ...uploader(world.app) }
}

t.test('a bundle is uploaded in chunks, and each response lists the missing ones', async t => {
  const { ask, uploadParts, assemble, work, platform, project } = await openShop(t)
  const bundle = aBundle()
  const [first, second] = [bundle.subarray(0, 700), bundle.subarray(700)]
  const chunks = [sha1(first), sha1(second)]
  const status = async () => (await assemble(bundle, ['shop'], { version: 'shop@1', dist: null }, chunks)).body

  hasExactly(t, (await ask('GET', 'organizations/root/chunk-upload/')).body, {
    url: 'http://tocsin.test/api/0/organizations/root/chunk-upload/',
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2']
  })
  t.same(await status(), { state: 'not_found', missingChunks: chunks })
  t.equal((await uploadParts([['file', chunks[0]!, first]])).status, 200)
  t.same(await status(), { state: 'not_found', missingChunks: [chunks[1]] })
  t.equal((await uploadParts([['file_gzip', chunks[1]!, gzipSync(second)]])).status, 200)
  t.same(await status(), { state: 'created', missingChunks: [] })
  t.same(await status(), { state: 'created', missingChunks: [] }, 'no worker has assembled it yet')

  await work('maintenance')
  await eventually(async () => (await status()).state === 'ok', 'it is assembled')
  const { rows } = await platform.pool.query('SELECT project_id, url, debug_id, script IS NOT NULL AS has_script FROM source_maps')
  t.same(rows, [{ project_id: project.id, url: '~/assets/app.js', debug_id: debugId, has_script: true }])
  await eventually(async () => (await platform.pool.query('SELECT FROM artifact_chunks')).rowCount === 0, 'assembled chunks are deleted')
})

t.test('a repeated upload stores nothing; one for another release or project does', async t => {
  const { upload, assemble, uploadParts, call, work, platform, project } = await openShop(t)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const bundle = aBundle()
  const count = async () => (await platform.pool.query('SELECT FROM source_maps')).rowCount

  await work('maintenance')
  for (const name of ['shop', 'root/shop', project.id]) t.same(await upload(bundle, name), { state: 'ok', missingChunks: [] })
  t.equal(await count(), 1)
  t.same(await upload(bundle, 'shop', { version: 'shop@2' }), { state: 'ok', missingChunks: [] })
  t.equal(await count(), 2)
  await uploadParts([['file', sha1(bundle), bundle]])
  const both = async () => (await assemble(bundle, [project.id, other.path], { version: 'shop@3' })).body.state === 'ok'
  await eventually(both, 'the bundle is assembled for both projects')
  t.equal(await count(), 4)
})

t.test('an invalid bundle fails with the reason and stores nothing', async t => {
  const { upload, work, platform } = await openShop(t, { ARTIFACT_BUNDLE_MAX_BYTES: '1048576' })
  const bomb = { 'manifest.json': '{"files":{"a":{"type":"minified_source","url":"~/a"}}}', a: '0'.repeat(11 << 20) }

  await work('maintenance')
  for (const [bundle, reason] of [
    [Buffer.from('no zip at all'), /not a valid zip/],
    [zip({ a: 'b' }), /no manifest.json/],
    [zip({ 'manifest.json': '[]' }), /no manifest.json/],
    [zip({ '../../etc/passwd': 'x', 'manifest.json': '{"files":{}}' }), /not a valid zip.*relative path/],
    [zip(bomb), /have more than 10485760 bytes/],
    [zip(bomb, bytes => Math.min(bytes, 100)), /not a valid zip.*too many bytes/]
  ] as const) {
    const { state, detail } = await upload(bundle, 'shop')

    t.equal(state, 'error')
    t.match(detail, reason)
  }
  t.equal((await platform.pool.query('SELECT FROM source_maps')).rowCount, 0)
})

t.test('chunks are validated, limited, and usable by their uploader only', async t => {
  const { uploadParts, ask, assemble, call, app } = await openShop(t, { ARTIFACT_BUNDLE_MAX_BYTES: '1048576' })
  const content = Buffer.from('content')
  const large = Buffer.alloc((2 << 20) + 1)
  const refused = async (parts: Parameters<typeof uploadParts>[0], detail: RegExp) => {
    const answer = await uploadParts(parts)
    t.equal(answer.status, 400)
    t.match(answer.body.detail, detail)
  }

  await refused([['file', sha1(Buffer.from('other')), content]], /must be the SHA-1/)
  await refused([['file_gzip', sha1(content), content]], /must be gzip/)
  await refused([['file_gzip', sha1(large), gzipSync(large)]], /must be gzip of 2097152 bytes at most/)
  await refused([['chunk', sha1(content), content]], /must be named/)
  await refused([], /There is no chunk|not valid multipart/)
  t.match(await ask('POST', 'organizations/root/artifactbundle/assemble/', { checksum: 'x' }), {
    status: 400,
    body: { detail: /checksum/ }
  })
  t.hasStrict(await ask('GET', 'nowhere/'), { status: 404, body: { detail: '404 Not Found' } })

  const megabyte = (n: number) => Buffer.alloc(1 << 20, n)
  for (const n of [1, 2, 3, 4]) t.hasStrict(await uploadParts([['file', sha1(megabyte(n)), megabyte(n)]]), { status: 200 })
  t.match(await uploadParts([['file', sha1(megabyte(5)), megabyte(5)]]), {
    status: 413,
    body: { detail: /Too many chunks are unassembled/ }
  })
  const { body: tooLarge } = await assemble(megabyte(9), ['shop'], {}, [sha1(megabyte(1)), sha1(megabyte(2))])
  t.equal(tooLarge.state, 'error')
  t.match(tooLarge.detail, /2097152 bytes; 1048576/)

  const { body: token } = await call('POST', '/projects/root%2Fshop/access_tokens', { name: 'ci', scopes: ['api'], access_level: 30 })
  const robot = uploader(app, 'root', token.token)
  hasExactly(t, (await robot.assemble(megabyte(1), ['shop'])).body, { state: 'not_found', missingChunks: [sha1(megabyte(1))] })
})

t.test('expired uploads and chunks are deleted, and a project over its limit loses the least recently used upload', async t => {
  const { upload, uploadParts, work, platform } = await openShop(t, { ARTIFACT_PROJECT_MAX_BYTES: '1048576' })
  const { pool, queues } = platform
  const releases = async () => (await pool.query('SELECT release FROM artifact_bundles ORDER BY 1')).rows.map(({ release }) => release)
  const large = aBundle(shop({ content: JSON.stringify({ noise: randomBytes(700_000).toString('base64') }) }))

  await work('maintenance')
  for (const version of ['1', '2']) await upload(large, 'shop', { version })
  t.same(await releases(), ['2'], 'the least recently used one is deleted')
  await upload(aBundle(), 'shop', { version: '3' })
  await uploadParts([['file', sha1(Buffer.from('left')), Buffer.from('left')]])
  await pool.query(`UPDATE artifact_bundles SET used_at = now() - interval '91 days' WHERE release = '2';
    UPDATE artifact_chunks SET created_at = now() - interval '25 hours'`)

  await queues.enqueue(expireBundles, {})
  await eventually(async () => (await releases()).length === 1, 'the expired upload is deleted')
  t.same(await releases(), ['3'])
  t.equal((await pool.query('SELECT FROM artifact_chunks')).rowCount, 0)
})
