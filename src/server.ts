import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { boot } from './boot.ts'
import { readConfigOrExit } from './config.ts'
import { Heartbeat } from './platform/observability/heartbeat.ts'
import { isPretty } from './platform/observability/log.ts'
import { SubstituteSampling } from './platform/observability/samples/substitute-sampling.ts'
import { closeOnSignal, exitWith, freeMemory, reportReady } from './platform/process/process.ts'
import { seedInstallation, welcome } from './seed-installation.ts'
import { settingsHelp } from './settings/describe-settings.ts'

if (/^(--help|-h)$/.test(process.argv[2] ?? '')) {
  process.stdout.write(
    `Usage: node bin/tocsin.js web\n\nRuns the web process. The settings are environment variables:\n\n${settingsHelp()}`
  )
  process.exit(0)
}

const config = readConfigOrExit()

try {
  const platform = await boot(config, { role: 'web' })
  const app = await buildApp(platform)
  const heartbeat = new Heartbeat(platform.pool, platform.registry, platform.log, { name: platform.name, role: 'web', queues: [] })

  await platform.listener.open()
  await platform.backlog.start()
  freeMemory({ code: false })
  await app.listen({ port: config.port, host: config.host, backlog: 1024 })
  useActualPort(app.server.address() as AddressInfo)
  // The first admin's credentials are shown once: a start that fails for its port must not use them up.
  const admin = config.webRole === 'intake' ? undefined : await seedInstallation(platform)
  const text = await welcome(platform, admin)

  const message = isPretty(config) ? `\n${text}` : welcomeLine(platform.name, text)

  // At once, because the password is shown only once: the launcher prints it even if a process does not start.
  process.send?.({ welcome: { url: config.baseUrl, text: message } })
  await heartbeat.start()
  const sampling = new SubstituteSampling(platform)

  closeOnSignal(async reason => {
    platform.log.info(`closing: ${reason}`)
    await app.close()
    await sampling.stop()
    await heartbeat.stop()
    await platform.close()
  })

  if (process.send) reportReady(config)
  else process.stdout.write(isPretty(config) ? `${message}ready ${config.baseUrl}\n` : message)
} catch (error) {
  exitWith(error, config)
}

/** With port 0 the system chooses the port, which URLs must contain. */
function useActualPort({ port }: AddressInfo) {
  const localUrl = config.localUrl.replace(/:\d+$/, `:${port}`)

  if (config.baseUrl === config.localUrl) config.baseUrl = localUrl
  config.localUrl = localUrl
}

function welcomeLine(name: string, text: string) {
  return `${JSON.stringify({ level: 30, time: Date.now(), process: name, welcome: text.trim().split('\n'), msg: `ready ${config.baseUrl}` })}\n`
}
