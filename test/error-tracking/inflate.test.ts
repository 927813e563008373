import zlib from 'node:zlib'
import t from 'tap'
import { BrokenBody, encodingOf, inflate, TooLarge } from '../../src/lib/inflate.ts'

const text = Buffer.from('{"message":"boom"}'.repeat(50))
const big = Buffer.alloc(3 << 20, 'x')
const encoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: body => zlib.gzipSync(body),
  'x-gzip': body => zlib.gzipSync(body),
  GZIP: body => zlib.gzipSync(body),
  deflate: body => zlib.deflateSync(body),
  br: body => zlib.brotliCompressSync(body),
  zstd: body => zlib.zstdCompressSync(body),
  '': body => body,
  identity: body => body,
  'who-knows': body => body
}

for (const [encoding, encode] of Object.entries(encoders)) {
  t.test(`"${encoding}" is decompressed`, async t => {
    t.same(await inflate(encode(text), encoding, 10_000), text)
    t.same(await inflate(encode(big), encoding, 4 << 20), big, 'a large one as well')
  })

  t.test(`"${encoding}" stops at the limit`, async t => {
    await t.rejects(async () => inflate(encode(text), encoding, 100), TooLarge)
    await t.rejects(async () => inflate(encode(big), encoding, 2 << 20), TooLarge)
  })
}

t.test('raw deflate is decompressed as well', async t => {
  t.same(await inflate(zlib.deflateRawSync(text), 'deflate', 10_000), text)
})

t.test('a body in another encoding than declared is invalid', async t => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
    await t.rejects(async () => inflate(Buffer.from('not compressed at all'), encoding, 10_000), BrokenBody)
    await t.rejects(async () => inflate(Buffer.alloc(0), encoding, 10_000), BrokenBody)
  }
})

t.test('a bomb is never inflated past the limit', async t => {
  const bomb = zlib.gzipSync(Buffer.alloc(200 << 20))
  const before = process.memoryUsage().rss

  await t.rejects(async () => inflate(bomb, 'gzip', 8 << 20), TooLarge)
  t.ok(process.memoryUsage().rss - before < 64 << 20, 'and takes no more memory than that')
})

t.test('the encoding of stored bytes is detected by their first bytes', async t => {
  t.equal(encodingOf(zlib.gzipSync(text)), 'gzip')
  t.equal(encodingOf(zlib.zstdCompressSync(text)), 'zstd')
  t.equal(encodingOf(zlib.brotliCompressSync(text)), undefined)
  t.equal(encodingOf(text), undefined)
})
