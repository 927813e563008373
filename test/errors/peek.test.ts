import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { peekEvent } from '#intake/errors/peek-event.ts'
import { anEnvelope, anEventId } from '../support/factories.ts'

const noise = randomBytes(4000).toString('hex')
const id = anEventId()
const envelope = anEnvelope({ message: noise }, { event_id: id })
const peek = (text: string) => peekEvent(gzipSync(text), 'gzip')

t.test('the id of a single event is read from its first lines', async t => {
  t.same(peek(envelope), { events: 1, hasOthers: false, unsupported: [], eventId: id })
  t.same(peek(envelope.trimEnd()), { events: 1, hasOthers: false, unsupported: [], eventId: id }, 'without a final newline')
  t.same(
    peekEvent(gzipSync(envelope), 'X-GZIP'),
    { events: 1, hasOthers: false, unsupported: [], eventId: id },
    'the other name of the encoding'
  )
})

t.test('any other envelope needs full validation', async t => {
  const large = anEnvelope({ message: noise + 'x'.repeat(1 << 20) }, { event_id: id })

  t.equal(peek(`${envelope}{"type":"session"}\n{}\n`), undefined, 'a second item')
  t.equal(peek(envelope.replace(/"length":\d+/, '"length":7')), undefined, 'a wrong length')
  t.equal(peek(envelope.replace(/,"length":\d+/, '')), undefined, 'no length')
  t.equal(peek(envelope.replace('"event"', '"transaction"')), undefined, 'another type')
  t.equal(peek(envelope.replace(id, 'no id')), undefined, 'no id')
  t.equal(peek(large), undefined, 'an event over the limit')
  t.equal(peek(anEnvelope({ message: 'short' })), undefined, 'a small envelope')
  t.equal(peekEvent(gzipSync(envelope).subarray(0, -20), 'gzip'), undefined, 'a truncated body')
  t.equal(peekEvent(Buffer.from(envelope), 'gzip'), undefined, 'an uncompressed body')
  t.equal(peekEvent(gzipSync(envelope), ''), undefined, 'no Content-Encoding')
  t.equal(peekEvent(Buffer.concat([gzipSync(envelope).subarray(0, 10), randomBytes(2000)]), 'gzip'), undefined, 'an invalid gzip stream')
})
