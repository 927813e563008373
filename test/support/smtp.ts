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

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>

let shared: Promise<Smtp> | undefined

/** The process's mail server, empty: worlds that use it can be shared. */
export async function openSmtpServer(t: Test) {
  shared ??= startSmtpServer()
  const smtp = await shared

  t.teardown(() => {
    smtp.letters.length = smtp.deferred.length = 0
    smtp.refused.clear()
    smtp.greylisted.clear()
  })

  return smtp
}

/** Keeps what it is given; refuses recipients for as long as they are in `refused`, for now those in `greylisted`. */
async function startSmtpServer() {
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
  server.server.unref()

  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, letters, refused, greylisted, deferred }
}

function answer(responseCode: number, text: string) {
  return Object.assign(new Error(text), { responseCode })
}
