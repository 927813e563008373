import { registerHooks } from 'node:module'

const domain = new URL('domain.js', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain' ? { url: domain, shortCircuit: true, format: 'module' } : next(specifier, context)
})

// Tap turns source maps on. Ours are not needed, because stripped types leave positions as they are; those of packages fill
// 40 MB in each process.
process.setSourceMapsEnabled(false)
process.setSourceMapsEnabled = () => {}
