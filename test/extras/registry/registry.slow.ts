import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootToken } from '../../support/world.ts'
import { hasRegistry, openRegistry, skopeoOf, writeImage } from './a-registry.ts'

const skip = hasRegistry() ? false : 'docker-registry, skopeo or openssl is not installed'

t.test('a walk through 10,000 tags meets each that stays exactly once, while others are added and deleted', { skip }, async t => {
  const registry = await openRegistry(t)
  const { call, project, dir } = registry
  const path = project.path_with_namespace
  const { digest } = writeImage(join(dir, 'image'), 'a layer')

  await skopeoOf(registry, `root:${rootToken}`).push('image', `${path}:first`)
  const [{ id }] = (await call('GET', `/projects/${project.id}/registry/repositories`)).body
  const folder = join(dir, 'images/docker/registry/v2/repositories', path, '_manifests/tags')
  const add = (name: string) => {
    mkdirSync(join(folder, name, 'current'), { recursive: true })
    writeFileSync(join(folder, name, 'current/link'), digest)
  }
  const initial = Array.from({ length: 10_000 }, (_, n) => `v${n}`)

  for (const name of initial) add(name)
  const met: string[] = []
  let next: string | undefined = 'pagination=keyset&order_by=name&sort=desc&per_page=100'

  for (let page = 0; next; page++) {
    const { headers, body } = await call('GET', `/projects/${project.id}/registry/repositories/${id}/tags?${next}`)

    met.push(...body.map(({ name }: { name: string }) => name))
    next = /\?(\S+)>; rel="next"/.exec(String(headers.link))?.[1]
    rmSync(join(folder, initial.splice((page * 7919) % initial.length, 1)[0]!), { recursive: true })
    add(`w${page}`)
  }
  const distinct = new Set(met)

  t.equal(distinct.size, met.length, 'none twice')
  t.same(
    initial.filter(name => !distinct.has(name)),
    [],
    'none missing'
  )
})
