import v8 from 'node:v8'
import vm from 'node:vm'
import type { Config } from '../../config.ts'

/** How long what runs may go on once the process is asked to end. */
export const patienceMs = 30_000

/** What was needed only to start is given back, instead of staying until the first collection that looks for it. */
export function releaseStartupMemory() {
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext('gc')()
}

/** Ends the process with an error message that names the setting to change. */
export function exitWith(error: unknown, config?: Pick<Config, 'host'>): never {
  process.stderr.write(`${explain(error as SystemError, config?.host)}\n`)
  process.exit(1)
}

/** Closes once, when asked to end by a signal or because whoever started this process is gone. */
export function closeOnSignal(close: (why: string) => Promise<void>) {
  let isClosing = false
  const end = (why: string) => {
    if (isClosing) return
    isClosing = true
    const impatience = setTimeout(() => process.exit(1), patienceMs + 4000).unref()

    close(why)
      .catch(error => exitWith(error))
      .then(() => {
        clearTimeout(impatience)
        process.exit(0)
      })
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(signal))
  process.on('disconnect', () => end('the launcher is gone'))
}

type SystemError = Partial<Record<'code' | 'message' | 'address' | 'hostname', string>> & { port?: number }

function explain(error: SystemError, host?: string) {
  const { code, message, port, address, hostname } = error

  if (code === 'EADDRINUSE')
    return `Port ${port} is taken on ${address}. Stop what uses it, or choose another: PORT=${Number(port) + 1} npm start`
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user. Choose one above 1023: PORT=3000 npm start`
  if (code === 'EADDRNOTAVAIL' || (hostname && hostname === host))
    return `HOST is not an address of this machine: ${address ?? hostname}. Set it to 127.0.0.1, or to 0.0.0.0 for all addresses.`
  if (/^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN)$/.test(code ?? ''))
    return `The database (DATABASE_URL) does not answer: ${message || code}`
  if (code === '28P01' || code === '28000') return `The database (DATABASE_URL) refuses the user or password: ${message}`
  if (code === '3D000') return `The database named in DATABASE_URL does not exist: ${message}. Create it with createdb.`

  return `Tocsin could not start: ${message ?? error}`
}
