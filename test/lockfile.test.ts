import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

interface Locked {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }

t.test('the lockfile names what every platform needs, also those it was not written on', async t => {
  const names = Object.keys(lock.packages).map(path => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) t.ok(names.includes(name), `${path} may need ${name}`)
  }
})

t.test('the lockfile belongs to no particular registry', async t => {
  for (const [path, { resolved, version }] of Object.entries(lock.packages)) {
    t.equal(resolved, undefined, path)
    t.ok(version, path)
  }
})
