import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './launcher.ts'

const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
const packed: string[] = Object.values<{ files: { path: string }[] }>(JSON.parse(stdout)).flatMap(({ files }) =>
  files.map(({ path }) => path)
)

t.test('a package has what the bundles read at run time', async t => {
  const read = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(path => (!path.endsWith('.ts') && !path.endsWith('tsconfig.json')) || path.startsWith('src/migrations/'))

  t.ok(read.length > 70)
  t.same(
    [...read, 'Procfile', 'package.json', 'LICENSE', 'README.md'].filter(path => !packed.includes(path)),
    []
  )
})

t.test('a package has what its command imports, and nothing for development', async t => {
  const needed = new Set(['bin/tocsin.js'])

  for (const file of needed) {
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g))
      needed.add(join(file, '..', name!))
  }
  // The bundler loads it in a checkout.
  needed.delete('bin/source-lines.js')
  t.ok(needed.size > 15)
  t.same(
    [...needed].filter(path => !packed.includes(path)),
    []
  )
  t.same(
    packed.filter(path => /^bin\//.test(path) && !needed.has(path)),
    []
  )
  t.same(
    packed.filter(path => /^(test|bench|docs|workers|node_modules)\//.test(path)),
    []
  )
})
