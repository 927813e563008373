import { registerHooks } from 'node:module'

const domain = new URL('domain.js', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain' ? { url: domain, shortCircuit: true, format: 'module' } : next(specifier, context)
})
