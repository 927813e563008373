import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Starts the web process and tells its parent which of our modules it has loaded. */
const loaded: string[] = []
const root = `${import.meta.dirname}/../..`

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.push(relative(root, fileURLToPath(url)))

    return next(url, context)
  }
})
await import('#server.ts')
process.send!({ loaded })
