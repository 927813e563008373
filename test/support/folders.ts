import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** An empty folder, gone with the test. Unlike `t.testdir()`, which empties the folder that an earlier call on the same test made. */
export function aFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-folder-'))

  t.teardown(() => rmSync(folder, { recursive: true, force: true }))

  return folder
}
