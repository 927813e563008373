/** Processor time of this thread in ms, which other load on the machine does not change. */
export function cpuMs(run: () => unknown) {
  const start = process.threadCpuUsage()

  run()
  const { user, system } = process.threadCpuUsage(start)

  return (user + system) / 1000
}
