/** How long running jobs and requests may take after a signal to end. */
export const shutdownTimeoutMs = 30_000

/**
 * Frees what the start left behind, a third of its memory; V8 would do so much later. Takes 0.1 s. With `code`, compiled
 * code goes, too: another 10 to 15 MiB, for 3 % of web's throughput (docs/contributing/benchmarks.md).
 */
export function freeMemory({ code }: { code: boolean }) {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: code ? 'last-resort' : 'regular' })
}

/** A launcher may be busier than a worker's watchdog, which is a thread of the process. */
const launcherPatience = 3

/** Tells the launcher that this process is ready, and from then on that it is not frozen: it would be killed and started again. */
export function reportReady({ watchdogSeconds }: { watchdogSeconds: number }) {
  if (!process.send) return
  const silentMs = launcherPatience * 1000 * watchdogSeconds

  process.send({ ready: true, silentMs })
  if (silentMs > 0) setInterval(() => process.connected && process.send?.({ isAlive: true }), silentMs / 10).unref()
}

/** Exits with a message that names the setting to change. */
export function exitWith(error: unknown, config?: { host: string }, failure = 'Tocsin could not start'): never {
  process.stderr.write(`${explain(error as SystemError, failure, config?.host)}\n`)
  process.exit(1)
}

/** Closes once, on SIGTERM or SIGINT, or when the launcher exits. */
export function closeOnSignal(close: (reason: string) => Promise<void>) {
  let isClosing = false
  const end = (reason: string) => {
    if (isClosing) return
    isClosing = true
    const forcedExit = setTimeout(() => process.exit(1), shutdownTimeoutMs + 4000).unref()

    close(reason)
      .catch(error => exitWith(error))
      .then(() => {
        clearTimeout(forcedExit)
        process.exit(0)
      })
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal))
  process.on('disconnect', () => end('the launcher exited'))
}

type SystemError = Partial<Record<'code' | 'message' | 'address' | 'hostname', string>> & { port?: number }

export function explain(error: SystemError, failure: string, host?: string) {
  const { code, message, port, address, hostname } = error

  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is already in use. Stop the other process, or choose another port: PORT=${Number(port) + 1} npm start`
  if (code === 'EACCES' && port) return `This user may not listen on port ${port}. Choose a port above 1023: PORT=3000 npm start`
  if (code === 'EADDRNOTAVAIL' || (hostname && hostname === host))
    return `HOST is not an address of this machine: ${address ?? hostname}. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`
  if (/^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/.test(code ?? ''))
    return `The database (DATABASE_URL) does not answer: ${message || code}`
  if (code === '28P01' || code === '28000') return `The database (DATABASE_URL) refuses the user or password: ${message}`
  if (code === '3D000') return `The database named in DATABASE_URL does not exist: ${message}. Create it with createdb.`

  return `${failure}: ${message ?? error}`
}
