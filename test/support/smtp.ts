import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'

export interface Received {
  from: string
  to: string[]
  /** Headers and body as they came. */
  data: string
}

/** A mail server that keeps what it is given; it refuses recipients for as long as they are in `refused`, for now those in `greylisted`. */
export async function anSmtpServer(t: Test) {
  const letters: Received[] = []
  const refused = new Set<string>()
  const greylisted = new Set<string>()
  /** Addresses that were refused for now. */
  const deferred: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => {
      if (refused.has(address)) return done(answer(550, 'no such user'))
      if (!greylisted.has(address)) return done()
      deferred.push(address)

      return done(answer(451, 'try again later'))
    },
    async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const data = (await text(stream)).replaceAll('\r\n', '\n')

      letters.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), data })
      done()
    }
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))

  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, letters, refused, greylisted, deferred }
}

function answer(responseCode: number, text: string) {
  return Object.assign(new Error(text), { responseCode })
}
