import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import t from 'tap'
import { hideSecrets, logOptions } from '../../src/platform/observability/log.ts'
import { configFor, newNamespace } from '../support/world.ts'

t.test('no secret gets into a log', async t => {
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

t.test('an address keeps all but its secrets', async t => {
  t.equal(hideSecrets('/a?access_token=abc&b=c'), '/a?access_token=[hidden]&b=c')
  t.equal(hideSecrets('/a?b=c'), '/a?b=c')
})
