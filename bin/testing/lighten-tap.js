import { registerHooks } from 'node:module'

const substitutes = {
  'async-hook-domain': new URL('domain.js', import.meta.url).href,
  'process-on-spawn': new URL('spawn-listeners.js', import.meta.url).href
}

/** Fastify looks for the name of each plugin among all CommonJS modules: a third of what building the application takes. */
const namesPlugins = /\/fastify\/lib\/plugin-utils\.js$/

registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(substitutes, specifier)
      ? { url: substitutes[specifier], shortCircuit: true, format: 'module' }
      : next(specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context)

    if (!namesPlugins.test(url)) return loaded

    return { ...loaded, source: String(loaded.source).replace('const cache = require.cache', 'const cache = undefined') }
  }
})

// Tap turns source maps on. Ours are not needed, because stripped types leave positions as they are; those of packages fill
// 40 MB in each process.
process.setSourceMapsEnabled(false)
process.setSourceMapsEnabled = () => {}
