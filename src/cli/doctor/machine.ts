import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { byteSize } from '#lib/counted.ts'
import { keyFile } from '#platform/database/encryption.ts'
import { Git } from '#platform/git/git.ts'
import { readDisks } from '#platform/observability/disks.ts'
import type { Input } from '../command.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

const least = { problem: 0.05, warning: 0.15 }

/** While the system runs, it has its port. */
export async function checkPort({ port, host }: Config, { launcher }: Input): Promise<Finding[]> {
  if (launcher) return [fine('port', `The system runs as process ${launcher}.`)]
  const reason = await new Promise<string | undefined>(resolve => {
    const server = createServer()

    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })

  if (!reason) return [fine('port', `${host}:${port} is free.`)]

  return [warning('port', `${host}:${port} cannot be used (${reason}).`, 'Stop the process that uses it, or set PORT or HOST.')]
}

export async function checkDisks(config: Config): Promise<Finding[]> {
  const { storages } = new Git(config.git)
  const disks = await readDisks(storages, config.dataDir)

  return disks.map(({ name, freeBytes = 0, totalBytes = 1, problem: reason }) => {
    const text = `${name}: ${byteSize(freeBytes)} of ${byteSize(totalBytes)} are free.`
    const share = freeBytes / totalBytes

    if (reason) return problem('disk', `The storage ${name} cannot be used: ${reason}`, 'Mount it again, or check its permissions.')
    if (share < least.problem) return problem('disk', text, 'Make room, shorten EVENT_RETENTION_DAYS, or move DATA_DIR to a larger disk.')

    return share < least.warning ? warning('disk', text, 'Make room before events are refused.') : fine('disk', text)
  })
}

/** Files with secrets are for their owner only. */
export async function checkDirectories({ dataDir, git: settings }: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const folder = await stat(dataDir).catch(() => undefined)
  const key = await stat(join(dataDir, keyFile)).catch(() => undefined)
  const isWritable = await access(dataDir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false
  )
  const advice = await new Git(settings).advice()

  if (folder && !isWritable)
    findings.push(problem('permissions', `${dataDir} cannot be written.`, `chown it to the user that runs Tocsin, or set DATA_DIR.`))
  if (key && (key.mode & 0o077) !== 0)
    findings.push(problem('permissions', `${join(dataDir, keyFile)} can be read by others.`, `chmod 600 ${join(dataDir, keyFile)}`))
  if (folder && (folder.mode & 0o022) !== 0)
    findings.push(warning('permissions', `${dataDir} can be written by others.`, `chmod 700 ${dataDir}`))
  if (findings.length === 0) findings.push(fine('permissions', folder ? `${dataDir} is ours.` : `${dataDir} does not exist yet.`))

  return [...findings, ...(advice.length > 0 ? advice.map(text => warning('git', text)) : [fine('git', 'git can be used.')])]
}
