import { createConnection } from 'node:net'
import { join } from 'node:path'

/** The Unix socket that a server opens in its data directory. */
export class PostgresSocket {
  constructor(dir) {
    this.path = join(dir, '.s.PGSQL.5432')
  }

  /** Throws when the path is longer than the system allows for a socket. */
  checkLength() {
    const longest = process.platform === 'linux' ? 107 : 103
    const length = Buffer.byteLength(this.path)

    if (length > longest) {
      throw new Error(
        `DATA_DIR is too deep: the database's socket ${this.path} would have ${length} characters, ` +
          `and the system allows ${longest}. Set DATA_DIR to a shorter path.`
      )
    }
  }

  /** Whether the server accepts connections. */
  isReady() {
    return new Promise(resolve => {
      const socket = createConnection(this.path)

      // A startup packet of protocol 3.0. The server replies "R" when it is ready, and "E" before.
      const body = Buffer.from('\0\x03\0\0user\0tocsin\0database\0postgres\0\0', 'latin1')
      const head = Buffer.alloc(4)
      head.writeInt32BE(body.length + 4)

      socket.setTimeout(2000, () => socket.destroy())
      socket.once('connect', () => socket.write(Buffer.concat([head, body])))
      socket.once('data', reply => {
        socket.destroy()
        resolve(reply[0] === 0x52)
      })
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
    })
  }
}
