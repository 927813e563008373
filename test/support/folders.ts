import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** An empty folder, gone with the test. Unlike `t.testdir()`, which empties the folder that an earlier call on the same test made. */
export function openFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-folder-'))

  t.teardown(() => rmSync(folder, { recursive: true, force: true }))

  return folder
}

/** Lists the files that a folder has and did not have before, by their paths. */
export async function newFiles(folder: string) {
  const former = new Set(await listFiles(folder))

  return async () => (await listFiles(folder)).filter(name => !former.has(name))
}

async function listFiles(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])

  return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
