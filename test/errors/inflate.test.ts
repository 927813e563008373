import { randomBytes } from 'node:crypto'
import zlib from 'node:zlib'
import t from 'tap'
import { BrokenBody, chunkBytes, encodingOf, inflate, inflateChunks, TooLarge } from '#lib/inflate.ts'

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

const inChunks = async (body: Buffer, encoding: string, limit: number) =>
  Buffer.concat(await Array.fromAsync(inflateChunks(body, encoding, limit)))
const ways = { 'at once': async (...body: Parameters<typeof inflate>) => inflate(...body), 'in chunks': inChunks }

for (const [way, inflate] of Object.entries(ways)) {
  for (const [encoding, encode] of Object.entries(encoders)) {
    t.test(`"${encoding}" is decompressed ${way}`, async t => {
      t.same(await inflate(encode(text), encoding, 10_000), text)
      t.same(await inflate(encode(big), encoding, 4 << 20), big, 'a large one as well')
    })

    t.test(`"${encoding}" ${way} stops at the limit`, async t => {
      await t.rejects(inflate(encode(text), encoding, 100), TooLarge)
      await t.rejects(inflate(encode(big), encoding, 2 << 20), TooLarge)
    })
  }

  t.test(`raw deflate is decompressed ${way} as well`, async t => {
    t.same(await inflate(zlib.deflateRawSync(text), 'deflate', 10_000), text)
  })

  t.test(`a body in another encoding than declared is invalid ${way}`, async t => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
      await t.rejects(inflate(Buffer.from('not compressed at all'), encoding, 10_000), BrokenBody, encoding)
      await t.rejects(inflate(Buffer.alloc(0), encoding, 10_000), BrokenBody, `nothing in ${encoding}`)
      await t.rejects(inflate(encoders[encoding]!(big).subarray(0, -8), encoding, 4 << 20), BrokenBody, `truncated ${encoding}`)
    }
  })

  t.test(`a zstd body with a larger window than RFC 9659 allows is refused ${way}`, async t => {
    const wide = zlib.zstdCompressSync(randomBytes(9 << 20), { params: { [zlib.constants.ZSTD_c_windowLog]: 27 } })

    await t.rejects(inflate(wide, 'zstd', 20 << 20), BrokenBody)
  })
}

t.test('chunks are small', async t => {
  for await (const chunk of inflateChunks(zlib.gzipSync(big), 'gzip', 4 << 20)) t.ok(chunk.length <= chunkBytes)
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
