import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { home } from './install.js'

/** Settings that lead to data elsewhere, or to the mail server and the address of another installation. */
const foreign =
  /^(BASE_URL|DATABASE_|REDIS_URL|NAMESPACE|SECRET_KEY|REPOSITORY_STORAGE|SMTP_|MAIL_|ROOT_|OIDC_|REGISTRY_|WEB_ROLE|EXTRAS|PROCESS_NAME)/

/** Starts a system of its own with a filled shop. The folder holds everything; the next demo continues with it. */
export async function demo({ dir = 'tocsin-demo', port }) {
  const dataDir = resolve(home, dir)

  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name]
  process.env.DATA_DIR = dataDir
  const { launchLock } = await import('./launch-lock.js')
  const { password, token } = readState(dataDir, launchLock().holder())

  // Its requests are not worth a line each.
  process.env.LOG_LEVEL ||= 'warn'
  console.log('Starting the demo …')
  Object.assign(process.env, { ROOT_PASSWORD: password, ROOT_TOKEN: token, ...(port && { PORT: port }) })
  process.argv.splice(2, Number.POSITIVE_INFINITY, '--demo')
  await import('./start.js')
}

/** The credentials of a demo in this folder. One that was not filled to its end begins anew. */
function readState(dataDir, holder) {
  const file = join(dataDir, 'demo.json')
  const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

  // A second one is refused by the launcher.
  if (state && (state.shop || holder)) return state
  if (!state && existsSync(dataDir)) {
    console.error(`${dataDir} exists and is no demo. Choose another folder with --dir.`)
    process.exit(1)
  }
  const created = { password: `demo-${randomBytes(6).toString('hex')}`, token: `glpat-${randomBytes(20).toString('base64url')}` }

  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(created), { mode: 0o600 })

  return created
}
