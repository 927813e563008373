import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'acorn'
import { root } from './install.js'

/**
 * Lists the regular expressions of src and workers: literals, `new RegExp('…')` and the patterns of TypeBox strings. A file
 * that builds one from parts must export its `alternatives`, each as it is matched; files without them are listed in `unlisted`.
 */
export async function collectRegexes() {
  const files = globSync(['src/**/*.ts', 'workers/**/*.ts'], { cwd: root }).sort()
  const found = files.flatMap(regexesOf)
  const regexes = found.filter(({ source }) => source !== undefined)
  const unlisted = []

  for (const built of found.filter(({ source }) => source === undefined)) {
    const { alternatives } = await import(pathToFileURL(join(root, built.file)).href)

    if (Array.isArray(alternatives)) regexes.push(...alternatives.map(source => ({ ...built, source, flags: '' })))
    else unlisted.push(built)
  }

  return { regexes, unlisted }
}

/**
 * Calls `see` with every node of the syntax tree of a TypeScript file.
 * @param {string} file
 * @param {(node: any) => void} see
 */
export function visitFile(file, see) {
  // In mode 'strip', types become spaces: lines stay where they are.
  const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'), { mode: 'strip' })

  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, locations: true }), see)
}

function regexesOf(file) {
  const found = []

  visitFile(file, node => {
    const regex = regexOf(node)

    if (regex) found.push({ file, line: node.loc.start.line, ...regex })
  })

  return found
}

function visit(node, see) {
  if (typeof node?.type === 'string') see(node)
  for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child, see)
}

/** Without a `source` when it is built at runtime. */
function regexOf(node) {
  if (node.type === 'Literal' && node.regex) return { source: node.regex.pattern, flags: node.regex.flags }
  if (/^(New|Call)Expression$/.test(node.type) && node.callee.name === 'RegExp') {
    const [source, flags] = node.arguments

    return { source: textOf(source), flags: textOf(flags) ?? '' }
  }

  // Ajv and TypeBox compile patterns with this flag.
  return node.type === 'CallExpression' && isTypeString(node.callee) ? patternOf(node.arguments[0]) : undefined
}

function isTypeString(callee) {
  return callee.type === 'MemberExpression' && callee.object.name === 'Type' && callee.property.name === 'String'
}

function patternOf(options) {
  const pattern = options?.properties?.find(({ key }) => key?.name === 'pattern')

  // A name stands for a regular expression that is found where it is written.
  return pattern && pattern.value.type !== 'Identifier' ? { source: textOf(pattern.value), flags: 'u' } : undefined
}

function textOf(node) {
  return typeof node?.value === 'string' ? node.value : undefined
}
