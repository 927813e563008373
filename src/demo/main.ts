import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfigOrExit } from '#config.ts'
import { closeOnSignal, exitWith } from '#platform/process/process.ts'
import { Client } from './client.ts'
import { fill, type Shop } from './fill.ts'
import { live } from './live.ts'

const [url = ''] = process.argv.slice(2)
const config = readConfigOrExit()
/** bin/demo.js created it with the credentials. */
const stateFile = join(config.dataDir, 'demo.json')

try {
  const ending = new AbortController()
  const { shop, ...credentials }: { shop?: Shop; token: string; password: string } = JSON.parse(await readFile(stateFile, 'utf8'))
  const client = new Client(url, credentials.token)
  const filled = shop ?? (await fill({ client, remoteOf, searchPath: config.git.searchPath ?? '/usr/bin:/bin', say }))

  if (!shop) await writeFile(stateFile, JSON.stringify({ ...credentials, shop: filled }), { mode: 0o600 })
  const running = live(client, filled, ending.signal)

  closeOnSignal(async () => {
    ending.abort()
    await running
  })
  process.send?.({ ready: true })

  function remoteOf(path: string) {
    const { protocol, host } = new URL(url)

    return `${protocol}//oauth2:${credentials.token}@${host}/${path}.git`
  }
} catch (error) {
  exitWith(error, undefined, 'The demo could not be filled')
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}
