import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { openCodeProject } from '../../git-http/code.ts'

const run = promisify(execFile)

/** Debian's registry, and a web application that signs tokens for it. */
export async function openRegistry(t: Test, env: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-registry-'))
  const files = { REGISTRY_KEY_FILE: join(dir, 'registry.key'), REGISTRY_CERTIFICATE_FILE: join(dir, 'registry.crt') }
  const [webPort, port] = [await freePort(), await freePort()]

  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  makeCertificate(files)
  const world = await openCodeProject(
    t,
    {},
    {
      env: {
        DATA_DIR: join(dir, 'data'),
        BASE_URL: `http://127.0.0.1:${webPort}`,
        REGISTRY_URL: `http://127.0.0.1:${port}`,
        ...files,
        ...env
      }
    }
  )

  await world.app.listen({ port: webPort, host: '127.0.0.1' })
  await startRegistry(t, { dir, port, webPort, certificate: files.REGISTRY_CERTIFICATE_FILE })

  return { ...world, dir, host: `127.0.0.1:${port}` }
}

/** Skopeo, with a user name and a password. Returns its complaint, or undefined. */
export function skopeoOf({ dir, host }: { dir: string; host: string }, credentials: string | undefined) {
  const policy = ['--insecure-policy']
  const at = (kind: 'src' | 'dest') => [
    `--${kind}-tls-verify=false`,
    ...(credentials ? [`--${kind}-creds=${credentials}`] : [`--${kind}-no-creds`])
  ]
  const copy = (kind: 'src' | 'dest', from: string, to: string) =>
    run('skopeo', [...policy, 'copy', '--preserve-digests', ...at(kind), from, to], { timeout: 30_000 }).then(
      () => undefined,
      error => String(error.stderr)
    )

  return {
    push: (image: string, path: string) => copy('dest', `dir:${join(dir, image)}`, `docker://${host}/${path}`),
    pull: (path: string, to: string) => copy('src', `docker://${host}/${path}`, `dir:${join(dir, to)}`)
  }
}

export function hasRegistry() {
  const folders = (process.env.PATH ?? '').split(':')

  return ['docker-registry', 'skopeo', 'openssl'].every(program => folders.some(folder => existsSync(join(folder, program))))
}

export function makeCertificate({ REGISTRY_KEY_FILE: key, REGISTRY_CERTIFICATE_FILE: certificate }: Record<string, string>) {
  const subject = ['-subj', '/CN=tocsin', '-days', '3650']

  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key!, '-out', certificate!], {
    stdio: 'ignore'
  })
}

async function startRegistry(
  t: Test,
  { dir, port, webPort, certificate }: { dir: string; port: number; webPort: number; certificate: string }
) {
  const config = join(dir, 'config.yml')

  mkdirSync(join(dir, 'images'))
  writeFileSync(
    config,
    `version: 0.1
storage:
  filesystem: {rootdirectory: ${join(dir, 'images')}}
  delete: {enabled: true}
http: {addr: "127.0.0.1:${port}"}
auth:
  token:
    realm: http://127.0.0.1:${webPort}/jwt/auth
    service: container_registry
    issuer: tocsin
    rootcertbundle: ${certificate}
`
  )
  const child = spawn('docker-registry', ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''

  child.stderr.on('data', chunk => {
    log = (log + chunk).slice(-4000)
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  for (let n = 0; n < 100; n++) {
    if (
      await fetch(`http://127.0.0.1:${port}/v2/`).then(
        ({ status }) => status === 401,
        () => false
      )
    )
      return
    await sleep(100)
  }
  throw new Error(`The registry does not start: ${log}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')

  await once(server, 'listening')
  const { port } = server.address() as { port: number }

  server.close()

  return port
}

/** A small image in the directory layout of `skopeo copy dir:`. */
export function writeImage(dir: string, text: string) {
  const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
  const layer = Buffer.from(text)
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '2026-01-02T03:04:05Z',
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest(layer)}`] }
  })
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: config.length, digest: `sha256:${digest(config)}` },
    layers: [{ mediaType: 'application/vnd.docker.image.rootfs.diff.tar', size: layer.length, digest: `sha256:${digest(layer)}` }]
  }

  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'version'), 'Directory Transport Version: 1.1\n')
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(dir, digest(config)), config)
  writeFileSync(join(dir, digest(layer)), layer)

  return { digest: `sha256:${digest(readFileSync(join(dir, 'manifest.json')))}`, size: config.length + layer.length }
}
