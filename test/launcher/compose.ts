import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { EmbeddedPostgres } from '../../bin/postgres/embedded-postgres.js'
import { type Place, root } from './launcher.ts'

export interface Service {
  image: string
  command?: string
  environment?: Record<string, string | number>
  env_file?: { path: string; required: boolean }[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt: string[]
  mem_limit: string
  volumes: string[]
  restart: string
  healthcheck: { test: string[]; interval: string }
  logging: { options: Record<string, string> }
  depends_on?: Record<string, { condition: string }>
}

export const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
export const compose: {
  services: Record<'web' | 'worker' | 'postgres' | 'valkey', Service>
  volumes: Record<string, null>
} = parse(text, { merge: true })

/** What the health checks of web and worker say of the system on a place: the codes they exit with. */
export function healthOf(place: Place) {
  const { web, worker } = compose.services

  return Promise.all([web, worker].map(service => check(service, place)))
}

function check({ healthcheck }: Service, { dir, port }: Place) {
  const [, program, ...args] = healthcheck.test.map(part => part.replaceAll('$$', '$'))
  const env = { PORT: String(port), PATH: process.env.PATH, DATABASE_URL: new EmbeddedPostgres({ dataDir: dir }).url, HOSTNAME: hostname() }

  const file = program === 'node' ? process.execPath : program!

  return new Promise(resolve => execFile(file, args, { cwd: root, env }, error => resolve(error ? error.code : 0)))
}
