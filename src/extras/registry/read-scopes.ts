import { lookUp } from '#lib/json.ts'
import { InvalidInput } from '#lib/refusals.ts'
import type { Action } from './sign-token.ts'

/** A repository of images, and what a client would do with it. */
export interface Wish {
  path: string
  actions: Action[]
}

const maxScopes = 20
const maxLength = 512
const actionNames: Record<string, Action[]> = { pull: ['pull'], push: ['push'], delete: ['delete'], '*': ['pull', 'push', 'delete'] }

/** Reads `repository:group/project/image:pull,push`. Other kinds of scopes are granted to no client. */
export function readScopes(given: string | string[] | undefined): Wish[] {
  const scopes = [given ?? []].flat().flatMap(text => text.split(' ').filter(Boolean))

  if (scopes.length > maxScopes) throw new InvalidInput(`at most ${maxScopes} scopes are answered at once`)

  return scopes.flatMap(scope => {
    const [, path, actions] = /^repository:([a-z0-9][a-z0-9._/-]*):([a-z*,]+)$/.exec(scope) ?? []

    if (!path || !actions || path.length > maxLength) return []

    return [{ path, actions: [...new Set(actions.split(',').flatMap(name => lookUp(actionNames, name) ?? []))] }]
  })
}
