import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ProcessLimit } from '#platform/git/process-limit.ts'
import { shutdownTimeoutMs } from '#platform/process/process.ts'
import { type GitCommand, GitProcess } from './git-process.ts'
import { ClientGone } from './request-body.ts'

/** On shutdown, transfers in progress may finish within this time. */
const closingMs = shutdownTimeoutMs - 10_000

/** The git processes that stream to clients: each in its turn, and none after the end of the web process. */
export class Transfers {
  #app: FastifyInstance
  #running = new Set<GitProcess>()

  constructor(app: FastifyInstance) {
    let timer: NodeJS.Timeout

    this.#app = app
    app.addHook('preClose', async () => {
      timer = setTimeout(() => this.#stopAll(), closingMs)
    })
    app.addHook('onClose', async () => clearTimeout(timer))
  }

  /** Waits for a turn. Lists of references take short turns, so that long clones do not hold them up. */
  async start(reply: FastifyReply, command: GitCommand, turns: ProcessLimit = this.#app.platform.git.transfers) {
    const release = await turns.acquire()

    if (reply.request.raw.socket.destroyed) {
      release()
      throw new ClientGone()
    }
    const child = new GitProcess(this.#app.platform.git, command)

    this.#running.add(child)
    this.#limitTime(reply, child)
    child.ended.finally(() => {
      this.#running.delete(child)
      release()
    })

    return child
  }

  #limitTime({ raw, request }: FastifyReply, child: GitProcess) {
    const { idleMs, totalMs } = this.#app.platform.config.gitTransfers
    const { socket } = request.raw
    const timer = setTimeout(() => {
      child.stop()
      socket.destroy()
    }, totalMs)

    // Node closes an idle connection, and resets this for the next request.
    socket.setTimeout(idleMs)
    raw.once('close', () => clearTimeout(timer))
  }

  #stopAll() {
    for (const child of this.#running) child.stop()
  }
}
