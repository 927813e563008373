import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { secretTexts } from './fixtures/secrets.ts'

const texts = Object.entries(secretTexts)

t.test('no table has a secret of an event that was sent', async t => {
  const { send, untilStored, platform, config } = await openProject(t)

  for (const [name, [text]] of texts) {
    const request = { url: `https://x.test/?q=${encodeURIComponent(text)}`, headers: { Referer: text }, data: JSON.stringify({ text }) }

    const event = { ...anException(name), message: text, transaction: text, extra: { text }, tags: { text }, request }

    await send(anEnvelope(event))
    await send(gzipSync(anEnvelope({ ...event, event_id: anEventId() })), { 'content-encoding': 'gzip' })
    await send(gzipSync(anEnvelope(anException(name), { text })), { 'content-encoding': 'gzip' })
  }
  await untilStored(3 * texts.length)
  const { rows: tables } = await platform.pool.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [config.namespace])

  let redactions = 0

  for (const { tablename } of tables) {
    const { rows } = await platform.pool.query(`SELECT * FROM "${tablename}"`)
    const stored = rows
      .flatMap(row => Object.values(row))
      .map(readable)
      .join('\n')

    redactions += stored.split('[Filtered]').length - 1
    for (const [name, [, ...secrets]] of texts) for (const secret of secrets) t.notOk(stored.includes(secret), `${name} in ${tablename}`)
  }
  t.ok(redactions > texts.length, 'the payloads were read')
})

function readable(value: unknown) {
  if (!Buffer.isBuffer(value)) return JSON.stringify(value)
  const decompress = [gunzipSync, inflateSync, zstdDecompressSync, brotliDecompressSync].find(decompress => canRead(decompress, value))

  return String(decompress ? decompress(value) : value)
}

function canRead(decompress: (bytes: Buffer) => Buffer, bytes: Buffer) {
  try {
    return decompress(bytes).length > 0
  } catch {
    return false
  }
}
