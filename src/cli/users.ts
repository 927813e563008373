import type { Platform } from '#boot.ts'
import { newPassword } from '#identity/secrets.ts'
import { registerUser } from '#identity/users/register-user.ts'
import { updateUser } from '#identity/users/update-user.ts'
import { User } from '#identity/users/user.ts'
import { changeUserState, type StateVerb } from '#projects/members/change-user-state.ts'
import { onPlatform, table } from './command.ts'
import { commandLine, findUser, issueFor } from './command-line.ts'

export const listUsers = onPlatform(async ({ fork }) => {
  const users = await fork().find(User, { kind: 'human' }, { orderBy: { username: 'asc' } })
  const rows = users.map(present)

  return {
    json: rows,
    text: table(
      ['ID', 'Username', 'Name', 'E-mail', 'State', 'Admin', 'Last active'],
      rows.map(user => [user.id, user.username, user.name, user.email, user.state, user.admin ? 'yes' : '', user.last_activity_on ?? ''])
    )
  }
})

export const createUser = onPlatform(async (platform, { args: [username = '', email = ''], options }) => {
  const em = platform.fork()
  const password = newPassword()
  const attributes = { username, email, name: options.name ?? username, admin: options.admin ?? false }
  const user = await registerUser(em, platform, commandLine, { ...attributes, force_random_password: true, skip_confirmation: true })

  await updateUser(em, commandLine, user.id, { password })

  return shown(platform, user, { password })
})

export const resetPassword = onPlatform(async (platform, { args: [username = platform.config.root.username], options }) => {
  const em = platform.fork()
  const user = await findUser(em, username)
  const password = newPassword()

  await updateUser(em, commandLine, user.id, { password })
  if (!options.token) return shown(platform, user, { password })
  const { secret } = await issueFor(em, user, { scopes: user.isAdmin ? ['api', 'sudo'] : ['api'] })

  return shown(platform, user, { password, token: secret })
})

export const blockUser = changeState('block')
export const unblockUser = changeState('unblock')

function changeState(verb: StateVerb) {
  return onPlatform(async ({ fork }, { args: [username = ''] }) => {
    const em = fork()
    const user = await findUser(em, username)
    const isChanged = await changeUserState(em, commandLine, user.id, verb, new Date())

    return { json: present(user), text: isChanged ? `${user.username} is ${user.state}.` : `${user.username} was ${user.state} already.` }
  })
}

function shown({ config }: Platform, user: User, secrets: { password: string; token?: string }) {
  const lines = [`Address    ${config.baseUrl}`, `User       ${user.username}`, `Password   ${secrets.password}   (one-time)`]

  if (secrets.token) lines.push(`Token      ${secrets.token}   (shown only once)`)

  return { json: { ...present(user), ...secrets }, text: lines.join('\n') }
}

function present({ id, username, name, email, state, isAdmin, lastActivityOn }: User) {
  return { id, username, name, email, state, admin: isAdmin, last_activity_on: lastActivityOn ?? null }
}
