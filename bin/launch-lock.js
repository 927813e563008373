import { join, resolve } from 'node:path'
import { home, isPackage } from './install.js'
import { PidLock } from './pid-lock.js'

export const dataDir = resolve(home, process.env.DATA_DIR || (isPackage ? 'tocsin-data' : '.data'))

/** One launcher or restore at a time per data directory. */
export function launchLock() {
  return new PidLock(join(dataDir, 'tocsin.pid'), /bin\/(start|tocsin)\.js|\.bin\/tocsin\b/)
}

/** Returns the process id of another holder. */
export function acquire(lock) {
  try {
    return lock.acquire()
  } catch (error) {
    throw new Error(`${dataDir} cannot be written (${error.code}). Set DATA_DIR to a directory that this user can write to.`)
  }
}
