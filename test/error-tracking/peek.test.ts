import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { peekEventId } from '../../src/error-tracking/ingest/peek-event.ts'
import { anEnvelope, anEventId } from '../support/factories.ts'

const largest = 1 << 20
const noise = randomBytes(4000).toString('hex')
const id = anEventId()
const envelope = anEnvelope({ message: noise }, { event_id: id })
const peek = (text: string) => peekEventId(gzipSync(text), largest)

t.test('one sized event is known by its first lines', async t => {
  t.equal(peek(envelope), id)
  t.equal(peek(envelope.trimEnd()), id, 'without a newline at its end as well')
})

t.test('anything else has to be looked over whole', async t => {
  t.equal(peek(`${envelope}{"type":"session"}\n{}\n`), undefined, 'a second item')
  t.equal(peek(envelope.replace(/"length":\d+/, '"length":7')), undefined, 'a length that does not fit')
  t.equal(peek(envelope.replace(/,"length":\d+/, '')), undefined, 'no length')
  t.equal(peek(envelope.replace('"event"', '"transaction"')), undefined, 'another type')
  t.equal(peek(envelope.replace(id, 'no id')), undefined, 'no id')
  t.equal(peekEventId(gzipSync(envelope), 100), undefined, 'a large event')
  t.equal(peekEventId(gzipSync(envelope).subarray(0, -20), largest), undefined, 'cut short')
  t.equal(peekEventId(Buffer.from(envelope), largest), undefined, 'not compressed')
  t.equal(peek(anEnvelope({ message: 'short' })), undefined, 'too small to be worth it')
  t.equal(peekEventId(Buffer.concat([gzipSync(envelope).subarray(0, 10), randomBytes(2000)]), largest), undefined, 'not gzip after all')
})
