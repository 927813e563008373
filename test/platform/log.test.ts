import { spawnSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { mock } from 'node:test'
import { pino } from 'pino'
import t from 'tap'
import { hideSecrets, logOptions } from '#platform/observability/log.ts'
import { configFor, newNamespace } from '../support/world.ts'

t.test('secrets are redacted from the log', async t => {
  const out = new PassThrough()
  const log = pino({ ...logOptions(configFor('postgres', newNamespace(), { LOG_LEVEL: 'info' })) }, out)
  const secret = 's3cr3t'

  log.info({
    req: { id: 'r1', method: 'GET', url: `/x?private_token=${secret}&page=2&sentry_key=${secret}`, ip: '::1', headers: { cookie: secret } }
  })
  log.info({
    user: { password: secret, token: secret },
    headers: { authorization: secret, cookie: secret, 'private-token': secret, 'x-sentry-auth': secret }
  })
  const text = String(out.read())

  t.notMatch(text, secret)
  t.match(text, '/x?private_token=[hidden]&page=2&sentry_key=[hidden]')
})

t.test('logged errors hold no secrets and no values of rows', async t => {
  const out = new PassThrough()
  const log = pino({ ...logOptions(configFor('postgres', newNamespace(), { LOG_LEVEL: 'info' })) }, out)
  const error = Object.assign(new Error('refused: password=s3cr3t'), { code: '23505', detail: 'Key (name)=(s3cr3t) already exists.' })

  log.error({ err: error }, 'it failed')
  const text = String(out.read())

  t.notMatch(text, 's3cr3t')
  t.hasStrict(JSON.parse(text).err, { type: 'Error', message: 'refused: password=[Filtered]', code: '23505' })
})

t.test('only the secrets in a URL are redacted', async t => {
  t.equal(hideSecrets('/a?access_token=abc&b=c'), '/a?access_token=[hidden]&b=c')
  t.equal(hideSecrets('/a?b=c'), '/a?b=c')
})

t.test('LOG_FORMAT=pretty is pretty without a terminal, and names the request', async t => {
  const code = `
    import { openLog } from './src/platform/observability/log.ts'
    const log = openLog({ logLevel: 'info', logFormat: process.argv[1] })
    log.info({ reqId: 'r1' }, 'hello')
    log.info({ req: { id: 'r2', method: 'GET', url: '/x' }, res: { statusCode: 200 }, responseTime: 3 })`
  const run = (format: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', code, format], { encoding: 'utf8', env: { PATH: process.env.PATH } })
      .stdout

  t.match(run('pretty'), /^\[\d\d:\d\d:\d\d\] INFO: hello \(r1\)\n\[.*GET \/x 200 in 3 ms \(r2\)\n$/)
  t.hasStrict(JSON.parse(run('auto').split('\n')[0]!), { reqId: 'r1', msg: 'hello' })
})

t.test('a repeated failure is logged once a minute, then with its count', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const out = new PassThrough()
  const log = pino(logOptions({ logLevel: 'info' }), out)
  const lines = () =>
    String(out.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  const fail = (message: string) => log.warn({ err: new Error(message) }, 'cannot receive envelopes')

  for (let n = 0; n < 5; n++) fail('away')
  fail('full')
  log.child({ reqId: 'r1' }).warn({ err: new Error('away') }, 'cannot receive envelopes')
  t.same(
    lines().map(({ err }) => err.message),
    ['away', 'full']
  )
  mock.timers.tick(60_000)
  t.hasStrict(lines(), [{ msg: 'cannot receive envelopes', repeated: 5, err: { message: 'away' } }])
  fail('away')
  t.hasStrict(lines(), [{ err: { message: 'away' } }])
})
