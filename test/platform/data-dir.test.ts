import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { encrypt } from '#platform/database/encryption.ts'
import { PidLock } from '../../bin/pid-lock.js'

t.test('only its owner can read the data directory, whichever process creates it', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-'))
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777

  t.teardown(() => rmSync(folder, { recursive: true }))
  await encrypt({ dataDir: join(folder, 'web') }, 'secret', 'owner')
  new PidLock(join(folder, 'launcher', 'tocsin.pid'), /none/).acquire()

  t.same([modeOf('web'), modeOf('launcher')], [0o700, 0o700])
})
