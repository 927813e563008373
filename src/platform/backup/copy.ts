import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type pg from 'pg'

/** What pg offers to query classes of other packages, such as pg-cursor. */
interface Connection extends EventEmitter {
  stream: Socket
  query: (sql: string) => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
}

/** `COPY … TO STDOUT`: yields one chunk per row, in Postgres' text format. */
export async function* copyOut(client: pg.ClientBase, sql: string): AsyncGenerator<Buffer> {
  const copy = new CopyOut(sql)

  client.query(copy as unknown as pg.Submittable)
  yield* copy.rows
}

/** `COPY … FROM STDIN`. */
export async function copyIn(client: pg.ClientBase, sql: string, data: Buffer) {
  await new Promise<void>((resolve, reject) => client.query(new CopyIn(sql, data, resolve, reject) as unknown as pg.Submittable))
}

/** Without these, pg would fail on messages that a COPY may cause. */
class Copy {
  readonly sql: string

  constructor(sql: string) {
    this.sql = sql
  }

  submit(connection: Connection) {
    connection.query(this.sql)
  }

  handleCommandComplete() {}
}

class CopyOut extends Copy {
  readonly rows = new PassThrough({ readableObjectMode: true, writableObjectMode: true, highWaterMark: 1000 })

  #connection?: Connection

  override submit(connection: Connection) {
    this.#connection = connection
    super.submit(connection)
    this.rows.on('drain', () => connection.stream.resume())
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    // pg reuses the memory of the chunk.
    if (!this.rows.write(Buffer.from(chunk))) this.#connection?.stream.pause()
  }

  handleError(error: Error) {
    this.rows.destroy(error)
  }

  handleReadyForQuery() {
    this.rows.end()
  }
}

class CopyIn extends Copy {
  #data: Buffer
  #resolve: () => void
  #reject: (error: Error) => void

  constructor(sql: string, data: Buffer, resolve: () => void, reject: (error: Error) => void) {
    super(sql)
    this.#data = data
    this.#resolve = resolve
    this.#reject = reject
  }

  handleCopyInResponse(connection: Connection) {
    connection.sendCopyFromChunk(this.#data)
    connection.endCopyFrom()
  }

  handleError(error: Error) {
    this.#reject(error)
  }

  handleReadyForQuery() {
    this.#resolve()
  }
}
