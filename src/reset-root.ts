import { boot } from './boot.ts'
import { readConfigOrExit } from './config.ts'
import { resetCredentials } from './identity/users/first-admin.ts'
import { User } from './identity/users/user.ts'
import { exitWith } from './platform/process/process.ts'

const config = readConfigOrExit()

try {
  const platform = await boot({ ...config, logLevel: 'warn', webRole: 'api' }, { role: 'web' })
  const em = platform.fork()
  const admin = await em.findOne(User, { username: config.root.username })

  if (!admin) throw new Error(`There is no user "${config.root.username}" yet; start Tocsin once, or set ROOT_USERNAME.`)
  const { username, password, token } = await resetCredentials(em, admin, {})

  process.stdout.write(`Admin      ${username}\nPassword   ${password}   (one-time)\nToken      ${token}   (shown only once)\n`)
  await platform.close()
} catch (error) {
  exitWith(error)
}
