import { isAbsolute, join } from 'node:path'
import { root } from './install.js'
import { PidLock } from './pid-lock.js'

const given = process.env.DATA_DIR || '.data'

export const dataDir = isAbsolute(given) ? given : join(root, given)

/** One launcher or restore at a time per data directory. */
export function launchLock() {
  return new PidLock(join(dataDir, 'tocsin.pid'), /bin\/(start|tocsin)\.js|\.bin\/tocsin\b/)
}
