import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { generatedPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { dayMs, people, projects, releasedDaysAgo } from './shop.ts'
import { storefrontReleases } from './storefront-sources.ts'

const run = promisify(execFile)
const { versions } = projects[0]

/** A release of the storefront: its commit, and the minified script with its source map. */
export interface Build {
  version: string
  commit: string
  url: string
  script: string
  map: string
  debugId: string
}

/** Commits each release on its day, pushes everything to `remote`, and builds the scripts. */
export async function buildStorefront(remote: string, searchPath: string, now: number): Promise<Build[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-demo-'))
  const git = async (args: string[], env: Record<string, string> = {}) =>
    (
      await run('git', args, {
        cwd: folder,
        env: { PATH: searchPath, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', ...env }
      })
    ).stdout.trim()
  const builds: Build[] = []

  try {
    await git(['init', '--quiet', '--initial-branch=main'])
    for (const [n, { author, message, files }] of storefrontReleases.entries()) {
      const { name, username } = people[author]!
      const date = new Date(now - releasedDaysAgo[n]! * dayMs - 5_400_000).toISOString()
      const who = { NAME: name, EMAIL: `${username}@example.com`, DATE: date }
      const env = Object.fromEntries(
        Object.entries(who).flatMap(([key, value]) => [`GIT_AUTHOR_${key}`, `GIT_COMMITTER_${key}`].map(k => [k, value]))
      )

      for (const [path, text] of Object.entries(files)) {
        await mkdir(join(folder, dirname(path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      await git(['add', '.'])
      await git(['commit', '--quiet', '--message', message], env)
      await git(['tag', `v${versions[n]}`], env)
      builds.push({ ...(await bundle(folder, versions[n]!)), commit: await git(['rev-parse', 'HEAD']) })
    }
    await git(['push', '--quiet', remote, 'main', '--tags'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  return builds
}

async function bundle(folder: string, version: string) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: { main: 'src/main.ts' },
    outdir: 'assets',
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    write: false
  })
  const map = outputFiles.find(({ path }) => path.endsWith('.map'))!.text
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))!.text
  const sources = JSON.parse(map).sources.map((source: string) => source.replace('../', 'webpack:///./'))

  return {
    version: `storefront@${version}`,
    url: `https://shop.example.com/assets/main-${version.replaceAll('.', '')}.js`,
    script,
    map: JSON.stringify({ ...JSON.parse(map), sources }),
    debugId: randomUUID()
  }
}

/** The frame of the minified script for a place in the sources, as a browser reports it. */
export function frameOf({ url, map }: Build, release: number, file: string, text: string, name: string) {
  const lines = storefrontReleases[release]!.files[file]!.split('\n')
  const line = lines.findIndex(one => one.includes(text))
  const { line: lineno, column } = generatedPositionFor(new TraceMap(map), {
    source: `webpack:///./${file}`,
    line: line + 1,
    column: lines[line]!.indexOf(text)
  })

  return { filename: url, function: name, lineno: lineno ?? 1, colno: (column ?? 0) + 1, in_app: true }
}

/** What `sentry-cli sourcemaps upload` sends: the script and its map, by debug id and by URL. */
export function artifactBundle({ url, script, map, debugId }: Build) {
  const name = url.slice(url.lastIndexOf('/') + 1)
  const headers = { 'debug-id': debugId }
  const at = `~/assets/${name}`
  const files = {
    [`files/_/_/${name}`]: { type: 'minified_source', url: at, headers: { ...headers, sourcemap: `${name}.map` } },
    [`files/_/_/${name}.map`]: { type: 'source_map', url: `${at}.map`, headers }
  }

  return zip({ 'manifest.json': JSON.stringify({ files }), [`files/_/_/${name}`]: script, [`files/_/_/${name}.map`]: map })
}

/** A zip file without compression (APPNOTE.TXT §4.3). */
function zip(files: Record<string, string>) {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0

  for (const [name, content] of Object.entries(files)) {
    const [data, title] = [Buffer.from(content), Buffer.from(name)]
    const common = Buffer.alloc(26)

    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(title.length, 22)
    const tail = Buffer.alloc(14)

    tail.writeUInt32LE(at, 10)
    parts.push(Buffer.from('PK\x03\x04'), common, title, data)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, tail, title)
    at += 30 + title.length + data.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)

  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)

  return Buffer.concat([...parts, listed, end])
}
