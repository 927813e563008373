import t from 'tap'
import { describe, fingerprint } from '../../src/error-tracking/fingerprint.ts'
import { normalise } from '../../src/error-tracking/normalise.ts'

const now = new Date('2026-11-20T12:00:00Z')
const read = (event: Record<string, unknown>) => normalise(event, now)
const hash = (event: Record<string, unknown>) => fingerprint(read(event)).toString('hex')
const frame = (name: string, inApp = true, module = 'app') => ({ function: name, module, in_app: inApp })
const failure = (frames: unknown[], type = 'TypeError', value = 'it broke') => ({
  exception: { values: [{ type, value, stacktrace: { frames } }] }
})

t.test('the same type and frames of our own are one group, whatever the value', async t => {
  t.equal(hash(failure([frame('a'), frame('b')])), hash(failure([frame('a'), frame('b')], 'TypeError', 'order 17 broke')))
  t.equal(hash(failure([frame('a'), frame('lib', false)])), hash(failure([frame('a'), frame('other', false)])), 'libraries do not count')
})

t.test('another type, or other frames, are another group', async t => {
  t.not(hash(failure([frame('a')])), hash(failure([frame('b')])))
  t.not(hash(failure([frame('a')])), hash(failure([frame('a')], 'RangeError')))
  t.not(hash(failure([frame('a', false)])), hash(failure([frame('b', false)])), 'without frames of our own all of them count')
})

t.test('without frames the words decide', async t => {
  t.not(hash(failure([], 'E', 'one')), hash(failure([], 'E', 'two')))
  t.not(hash({ message: 'one' }), hash({ message: 'two' }))
  t.equal(hash({ message: 'one' }), hash({ logentry: { message: 'one' } }))
  t.equal(hash({}), hash({ platform: 'other' }), 'an event that says nothing has a group too')
})

t.test('a file tells a frame without a module, wherever it lies', async t => {
  const inFile = (filename: string) => failure([{ function: 'f', filename, in_app: true }])

  t.equal(hash(inFile('/srv/a/Main.js')), hash(inFile('C:\\b\\main.js')))
})

t.test('a group is called by its type and place', async t => {
  t.same(describe(read(failure([frame('outer'), frame('inner')]))), { name: 'TypeError', description: 'it broke', actor: 'inner(app)' })
  t.same(describe(read({ message: 'hello\nworld', transaction: 'GET /' })), { name: 'hello', description: 'hello\nworld', actor: 'GET /' })
  t.same(describe(read({})), { name: 'Error', description: '', actor: '' })
  t.equal(describe(read({ message: 'x'.repeat(5000) })).name.length, 255)
})

t.test('an exception without a type is a message', async t => {
  const synthetic = { message: 'hello', exception: { values: [{ value: 'hello', stacktrace: { frames: [frame('sdk')] } }] } }

  t.equal(hash(synthetic), hash({ message: 'hello' }))
})

t.test('the shapes that SDKs give an exception', async t => {
  const [bare] = failure([frame('a')]).exception.values

  t.equal(hash({ exception: [bare] }), hash(failure([frame('a')])), 'a list')
  t.equal(hash({ exception: bare }), hash(failure([frame('a')])), 'the thing itself')
  t.equal(hash({ exception: { values: [{ type: 'Cause', value: '' }, bare] } }), hash(failure([frame('a')])), 'the outermost of a chain')
  t.equal(read({ exception: 'nonsense', message: 'm' }).message, 'm')
  t.equal(read({ exception: { values: [null, 7] } }).type, undefined)
})

t.test('members of any type, or none', async t => {
  t.match(read({ level: 'nonsense', release: 7, environment: null, platform: '' }), {
    level: 'error',
    release: '7',
    environment: undefined,
    platform: undefined
  })
  t.match(read({ message: 'a\0b\ud800c' }), { message: 'ab�c' })
  t.match(read({ message: { formatted: 'from Java' } }), { message: 'from Java' })
  t.same(read({ exception: { values: [{ stacktrace: { frames: 'no list' } }] } }).frames, [])
})

t.test('times that cannot be are those of arrival', async t => {
  const at = (timestamp: unknown) => read({ timestamp }).occurredAt.toISOString()

  t.equal(at(1_795_170_000), '2026-11-20T10:20:00.000Z')
  t.equal(at('2026-11-20T11:00:00Z'), '2026-11-20T11:00:00.000Z')
  for (const wrong of ['tomorrow', '2031-01-01T00:00:00Z', '1970-01-01T00:00:00Z', {}, undefined, Number.NaN])
    t.equal(at(wrong), now.toISOString())
})
