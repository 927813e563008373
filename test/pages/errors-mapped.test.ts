import t from 'tap'
import { aBundle, debugId } from '../error-tracking/fixtures/bundle.ts'
import { uploader } from '../error-tracking/source-maps/uploader.ts'
import { anEnvelope, aProject } from '../support/factories.ts'
import { Visitor } from './visitor.ts'

const url = 'https://shop.example/assets/app.js'

t.test('a stack trace shows the original and the minified code, or why there is no original', async t => {
  const { app, work, send, untilStored, project } = await aProject(t)
  const { upload } = uploader(app)
  const visitor = new Visitor(app)

  await work('maintenance')
  await send(anEnvelope(crash('Unmapped', { release: 'shop@1', dist: 'web' })))
  const [unmapped] = await untilStored(1)
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  const page = async (fingerprint: number, query = '') => (await visitor.get(`/projects/${project.id}/errors/${fingerprint}${query}`)).body

  const before = await page(unmapped.fingerprint)
  for (const text of [
    'Why is this frame not mapped?',
    'No source map of this script was uploaded.',
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
  t.notMatch(original, 'Why is this frame not mapped?')
  const minified = await page(mapped.fingerprint, '?code=minified')
  t.match(minified, 'Show the original code')
  t.match(minified, 'https://shop.example/assets/app.js:3:')
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
