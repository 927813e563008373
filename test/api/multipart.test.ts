import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { openConventionalApp } from './conventional-app.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.post('/raw', async request => request.body)
  app.post('/pictures', { config: { files: { max: 2, bytes: 1000 } } }, async ({ body, uploads }) => ({
    body,
    uploads: uploads.map(({ data, ...upload }) => ({ ...upload, data: data.toString() }))
  }))
}
const { app, ask } = await openConventionalApp(t, routes)

t.test("files are accepted up to the route's number and size", async t => {
  const send = (url: string, ...sizes: number[]) => {
    const parts = new FormData()

    parts.append('title[text]', 'CPU')
    for (const [n, size] of sizes.entries()) parts.append('file', new Blob(['x'.repeat(size)], { type: 'image/png' }), `${n}.png`)

    return ask('POST', url, { payload: parts })
  }

  t.same((await send('/pictures', 3)).body, {
    body: { title: { text: 'CPU' } },
    uploads: [{ field: 'file', filename: '0.png', type: 'image/png', data: 'xxx' }]
  })
  t.equal((await send('/pictures', 1000, 1000)).status, 200)
  t.hasStrict(await send('/pictures', 1001), { status: 413, body: { message: '413 Request Entity Too Large' } })
  t.equal((await send('/pictures', 1, 1, 1)).status, 413, 'one too many')
  t.same((await send('/raw', 5000, 5000)).body, { title: { text: 'CPU' } }, 'elsewhere they are passed over')
  const odd = '--b\r\ncontent-disposition: form-data; name="file"; filename="a\0b"\r\n\r\nx\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  t.hasStrict(await ask('POST', '/pictures', { payload: odd, headers }), { status: 400, body: { error: 'file is invalid' } })
  t.equal((await send('/raw', 2_000_000)).status, 413)
  t.equal((await send('/raw', 600_000, 600_000)).status, 413, 'together they count as well')
})

t.test('a malformed multipart body is a 400', async t => {
  const send = (payload: string, type = 'multipart/form-data; boundary=b') =>
    ask('POST', '/raw', { payload, headers: { 'content-type': type } })
  const field = (name: string, value: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

  t.hasStrict(await send(`${field('a', '1')}--b--\r\n`), { status: 200, body: { a: '1' } })
  t.hasStrict(await send(field('a', '1')), { status: 400, body: { error: 'The body is not valid multipart' } }, 'it never ends')
  t.hasStrict(await send(''), { status: 200, body: {} }, 'empty')
  t.equal((await send('nonsense', 'multipart/form-data')).status, 400, 'no boundary')
  t.equal((await send(`${field('__proto__', '1')}--b--\r\n`)).status, 400)
  t.equal((await send(`${field('a', '\0')}--b--\r\n`)).status, 400)
  t.equal((await send(`${field('a', 'x'.repeat(1_100_000))}--b--\r\n`)).status, 413)
  t.equal((await send(`${field('a', '1').repeat(1001)}--b--\r\n`)).status, 413)
})

t.test('the size limit counts received bytes, not Content-Length', async t => {
  await listen(app)
  const { port } = app.server.address() as AddressInfo
  const head =
    'POST /api/v4/test/raw HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const field = chunk('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n')

  const long = connect(port, '127.0.0.1')
  long.on('error', () => {})
  long.write(head + field)
  for (let n = 0; n < 20; n++) long.write(chunk('x'.repeat(100_000)))
  const [answer] = await once(long, 'data')
  t.match(String(answer), /^HTTP\/1.1 413 [\s\S]*413 Request Entity Too Large/)
  long.destroy()

  const cut = connect(port, '127.0.0.1')
  const arrived = once(app.server, 'request')
  cut.write(head + field)
  await arrived
  cut.destroy()
  await once(cut, 'close')

  t.equal((await ask('POST', '/raw', { payload: { a: 1 } })).status, 200, 'the others are still served')
})
