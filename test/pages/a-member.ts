import type { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

type World = Pick<Awaited<ReturnType<typeof openApp>>, 'app' | 'call'>

/** A user who has signed in with a browser. */
export async function aMember({ app, call }: World, username: string, attributes: object = {}) {
  const password = `a password, ${[...username].reverse().join('-')}`
  const { body } = await call('POST', '/users', {
    username,
    name: `Name of ${username}`,
    email: `${username}@example.com`,
    password,
    ...attributes
  })
  const visitor = new Visitor(app)

  await visitor.signIn({ login: username, password })

  return Object.assign(visitor, { id: body.id as number })
}
