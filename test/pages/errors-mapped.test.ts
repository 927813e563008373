import t from 'tap'
import { aBundle, debugId, shop } from '../errors/fixtures/bundle.ts'
import { uploader } from '../errors/source-maps/uploader.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { importCommits } from '../support/repositories.ts'
import { Visitor } from './visitor.ts'

const url = 'https://shop.example/assets/app.js'

t.test('a stack trace shows the original and the minified code, or why there is no original', async t => {
  const { app, work, send, untilStored, project, platform } = await openProject(t)
  const { upload } = uploader(app)
  const visitor = new Visitor(app)
  const source = 'export {}\n'.repeat(50)
  const author = { name: 'Ann', email: 'ann@example.com' }

  await importCommits(platform, project.id, [
    { author, message: 'Add the cart', files: { 'web/src/cart.ts': source, 'web/src/main.ts': source } }
  ])
  await work('maintenance')
  await send(anEnvelope(crash('Unmapped', { release: 'shop@1', dist: 'web' })))
  const [unmapped] = await untilStored(1)
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  const page = async (fingerprint: number, query = '') => (await visitor.get(`/projects/${project.id}/errors/${fingerprint}${query}`)).body

  const before = await page(unmapped.fingerprint)
  for (const text of [
    'Why is this frame not mapped?',
    'No source maps were uploaded for this release.',
    `Debug id: <code>${debugId}</code>`,
    'Release: <code>shop@1</code> with dist <code>web</code>',
    '<code>~/assets/app.js</code>'
  ])
    t.ok(before.includes(text), text)

  await upload(aBundle(), project.id)
  t.match(await page(unmapped.fingerprint), 'A source map was uploaded after this event was received. It applies to later events.')

  await send(anEnvelope(crash('Mapped')))
  const mapped = (await untilStored(2)).find(({ name }: { name: string }) => name === 'Mapped')
  const original = await page(mapped.fingerprint)
  t.match(original, /<mark data-line="\d+">/)
  t.match(original, /Minified: <code>i<\/code> in <code>https:\/\/shop\.example\/assets\/app\.js:3:\d+<\/code>/)
  t.match(original, 'Show the minified code')
  t.match(
    original,
    /Suspect[\s\S]*“Add the cart”[\s\S]*in <code>web\/src\/(cart|main)\.ts:\d+<\/code>/,
    'the file of the original code is found'
  )
  t.notMatch(original, 'Why is this frame not mapped?')
  const minified = await page(mapped.fingerprint, '?code=minified')
  t.match(minified, 'Show the original code')
  t.match(minified, 'https://shop.example/assets/app.js:3:')
  t.notMatch(minified, 'Suspect')
})

t.test('a release lists the scripts without a source map, and what is uploaded instead', async t => {
  const { app, work, send, untilStored, project } = await openProject(t)
  const { upload } = uploader(app)
  const visitor = new Visitor(app)
  const withoutDebugId = (more: object) => crash('Unmapped', { release: 'shop@1', debug_meta: undefined, ...more })
  const other = 'https://shop.example/<b>/vendor.js'
  const frames = [url, other].map(url => ({ function: 'i', abs_path: url, filename: url, lineno: 3, colno: 181 }))

  await work('maintenance')
  await send(anEnvelope(withoutDebugId({ dist: 'web' })))
  await send(anEnvelope(withoutDebugId({ exception: { values: [{ type: 'TwoScripts', value: 'x', stacktrace: { frames } }] } })))
  await untilStored(2)
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  const release = async () => {
    const { body } = await visitor.get(`/projects/${project.id}/releases/shop%401`)

    return body.slice(body.indexOf('<h2>Missing source maps'))
  }

  const nothing = await release()
  t.match(
    nothing,
    /In the latest event of each of the 2 errors[\s\S]+app\.js<\/p>\s+<p class="hint">2 errors[\s\S]+vendor\.js<\/p>\s+<p class="hint">1 error,/
  )
  t.match(nothing, /https:\/\/shop\.example\/&#60;b&#62;\/vendor\.js/)
  t.equal(nothing.split('No source maps were uploaded for this release.').length, 3)
  t.equal(nothing.split('Debug id: none.').length, 3)

  await upload(aBundle(shop({ headers: {}, url: '~/static/app.js' })), project.id, { version: 'shop@1' })
  const elsewhere = await release()
  t.match(elsewhere, 'The URL does not match: the release has this file as <code>~/static/app.js</code>')
  t.match(elsewhere, 'The source maps of this release do not include this script.')

  await upload(aBundle(shop({ headers: {} })), project.id, { version: 'shop@1', dist: 'ios' })
  t.match(await release(), 'The dist does not match: the source map is uploaded for dist <code>ios</code>, and the event has')
  const [, event] = /href="([^"]+\/events\/[0-9a-f]{32})">this event/.exec(elsewhere)!
  t.equal((await visitor.get(event!)).statusCode, 200)

  await upload(aBundle(shop({ headers: {} })), project.id, { version: 'shop@1' })
  t.match(await release(), /app\.js<\/p>[\s\S]+A source map was uploaded after this event was received/)
})

function crash(type: string, fields: object = {}) {
  const frame = { function: 'i', abs_path: url, filename: url, lineno: 3, colno: 181, in_app: true }

  return {
    platform: 'javascript',
    exception: { values: [{ type, value: 'it broke', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
    ...fields
  }
}
