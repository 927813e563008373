import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Received {
  from: string
  to: string[]
  /** Headers and body as they came. */
  data: string
}

/** A mail server that keeps what it is given; it refuses recipients for as long as they are in `refused`. */
export async function anSmtpServer(t: Test) {
  const letters: Received[] = []
  const refused = new Set<string>()
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    converse(socket, refused, letter => letters.push(letter))
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, letters, refused }
}

function converse(socket: Socket, refused: Set<string>, keep: (letter: Received) => void) {
  let letter: Received = { from: '', to: [], data: '' }
  let isData = false
  let rest = ''

  const answers: Record<string, (address: string) => string> = {
    EHLO: () => '250 at your service',
    MAIL: address => {
      letter = { from: address, to: [], data: '' }

      return '250 go on'
    },
    RCPT: address => {
      if (refused.has(address)) return '550 no such user'
      letter.to.push(address)

      return '250 go on'
    },
    DATA: () => {
      isData = true

      return '354 end with a dot'
    },
    RSET: () => '250 forgotten',
    QUIT: () => '221 bye'
  }

  socket.write('220 smtp.test\r\n')
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')

    rest = lines.pop()!
    for (const line of lines) {
      if (!isData) socket.write(`${answers[line.slice(0, 4).toUpperCase()]?.(/<(.*?)>/.exec(line)?.[1] ?? '') ?? '502 what?'}\r\n`)
      else if (line !== '.') letter.data += `${line}\n`
      else {
        isData = false
        keep(letter)
        socket.write('250 kept\r\n')
      }
    }
  })
}
