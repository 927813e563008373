import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Storages } from '../git/storages.ts'
import { readStorages, type StorageSpace } from './storage-space.ts'

/** The storages for repositories, and the disk of `DATA_DIR` on this machine, where an embedded database is. */
export async function readDisks(storages: Storages, dataDir: string): Promise<StorageSpace[]> {
  const data = await statfs(dataDir).catch(() => undefined)
  const name = `data of ${hostname()}`

  return [
    ...(data ? [{ name, freeBytes: data.bavail * data.bsize, totalBytes: data.blocks * data.bsize }] : []),
    ...(await readStorages(storages))
  ]
}
