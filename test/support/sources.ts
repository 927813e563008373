import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type AnyNode, parse } from 'acorn'

const root = join(import.meta.dirname, '../..')

/** The files below folders of the repository, as paths from its root. */
export function filesIn(folders: string[], ending = '.ts') {
  return folders
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(name => name.endsWith(ending))
    .sort()
}

export const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The syntax tree of a TypeScript file, as lines of the original. */
export function syntaxOf(file: string) {
  return parse(stripTypeScriptTypes(read(file)), { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true })
}

export function* nodesIn(node: AnyNode): Generator<AnyNode> {
  yield node
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') yield* nodesIn(child)
}
