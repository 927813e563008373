import t from 'tap'
import Type from 'typebox'
import { batchId, defineJob, InvalidPayload, readBatchId, validationError } from '#platform/queue/job.ts'

const item = Type.Object({ name: Type.String(), tags: Type.Array(Type.Object({ id: Type.Integer() })) })

t.test('the id of a batch encodes its time, weight, tenant and round', async t => {
  t.same(readBatchId(batchId(100, 1_700_000_000_000, 7, 9)), { at: 1_700_000_000_000, weight: 100, tenant: 7, round: 9 })

  const before = Date.now()
  const { at, ...others } = readBatchId(batchId(1))!
  t.same(others, { weight: 1, tenant: 0, round: 0 })
  t.ok(at >= before && at <= Date.now())
})

t.test('batch ids are unique and contain no colon', async t => {
  const ids = Array.from({ length: 1000 }, () => batchId(5, 1))

  t.equal(new Set(ids).size, 1000)
  t.notOk(ids.some(id => id.includes(':')))
})

t.test('an id of another kind is not parsed as a batch id', async t => {
  for (const id of ['', '42', 'errors.receive-7', 'repeat:often:1700000000000', `${batchId(100)}-0`]) t.equal(readBatchId(id), undefined)
})

t.test('a contract has defaults', async t => {
  const plain = defineJob({ name: 'work.plain', queue: 'work', item })

  t.hasStrict(plain, { isBatched: false, receiptWithin: 0, attempts: 5 })
  t.equal(plain.size({ name: 'x', tags: [] }), '{"name":"x","tags":[]}'.length)
})

t.test('a validation error names the contract, the path and the violation', async t => {
  const contract = defineJob({ name: 'work.plain', queue: 'work', item })

  t.equal(validationError(contract, { name: 'x', tags: [{ id: 1 }] }), undefined)
  t.ok(validationError(contract, {}) instanceof InvalidPayload)
  t.equal(validationError(contract, { name: 'x', tags: [{ id: 1 }, { id: 'two' }] })?.message, 'work.plain: /tags/1/id must be integer')
  t.match(validationError(contract, null)?.message, /^work\.plain: the item must be object/)
})
