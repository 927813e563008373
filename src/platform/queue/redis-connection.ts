import { type Command, Redis } from 'ioredis'

const answered = Promise.resolve()

/**
 * A connection whose commands let go of what they carried once they are answered. V8 puts functions that are assigned to
 * properties among what lasts, and every command of ioredis has some: by these, all of it would stay until the next full
 * collection, its arguments and its answer with it: half of what an error left behind in web.
 */
export class RedisConnection extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>) {
    const answer = super.sendCommand(command, stream)

    command.promise.then(
      () => letGo(command),
      () => letGo(command)
    )

    return answer
  }
}

function letGo(command: Command) {
  command.args = []
  command.promise = answered
}
