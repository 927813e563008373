import { readResults } from './results.js'

/** Prints each failure as it happens, and how far the run is: on a terminal in a line that changes, elsewhere twice a minute. */
export function showProgress(groups) {
  const startedAt = Date.now()
  const printed = new Set()
  const isTerminal = process.stdout.isTTY
  const timer = setInterval(show, isTerminal ? 2000 : 30_000)

  return {
    stop() {
      clearInterval(timer)
      show({ isLast: true })
    }
  }

  function show({ isLast = false } = {}) {
    const results = readResults(groups)
    const failed = results.filter(({ state }) => state === 'failed')

    if (isTerminal) process.stdout.write('\r\x1b[K')
    for (const failure of failed) {
      const name = `${failure.file}: ${failure.name}`

      if (!printed.has(name)) process.stdout.write(`\nfailed: ${name}\n${failure.details}\n`)
      printed.add(name)
    }
    if (isLast) return
    const line = `${clock(Date.now() - startedAt)}  ${results.length} tests, ${failed.length} failed`

    process.stdout.write(isTerminal ? line : `${line}\n`)
  }
}

export function clock(ms) {
  const seconds = Math.round(ms / 1000)

  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
