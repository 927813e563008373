import {
  decodedMappings,
  FlattenMap,
  isIgnored,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap
} from '@jridgewell/trace-mapping'
import { declaredIn } from './declaration.ts'

export interface Position {
  source: string
  /** Both from 1. */
  line: number
  column: number
  /** What stands there, if it is a name. */
  name?: string
  /** Of the function around, when the script tells. */
  functionName?: string
  isIgnored: boolean
  /** The lines around, where the map holds the source. */
  context: SourceContext
}

export interface SourceContext {
  pre_context?: string[]
  context_line?: string
  post_context?: string[]
}

/** Refused before it is decoded: its mappings would not fit into memory. */
export class SourceMapTooLarge extends Error {}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u
const maxMappings = 1_000_000
/** Bytes that a decoded mapping takes. */
const mappingBytes = 100

/** Lines shown before and after the one in question. */
const around = 5
const longestLine = 500

/** A script's map, ready to be asked; the script itself tells the names of functions. */
export class ScriptMap {
  /** About what it takes in memory. */
  bytes: number
  #map: TraceMap
  #script: string[]
  #lines = new Map<string, string[]>()

  constructor(json: string, script = '') {
    const given = JSON.parse(json.replace(/^\)\]\}'[^\n]*\n/, ''))
    const mappings = countMappings(given)

    if (mappings > maxMappings) throw new SourceMapTooLarge(`${mappings} mappings`)
    this.#map = new FlattenMap(given)
    // Now rather than at the first question: what cannot be decoded is to be found here.
    decodedMappings(this.#map)
    this.#script = script.split('\n')
    this.bytes = json.length + script.length + mappingBytes * mappings
  }

  /** What stood at a place of the script (both from 1) before it was built; without a column only where the line leaves no doubt. */
  positionOf(line: number, column: number | undefined, functionName: string): Position | undefined {
    return column === undefined ? this.#ofLine(line) : this.#at(line, column - 1, functionName)
  }

  #linesOf(source: string) {
    const known = this.#lines.get(source)
    if (known) return known
    const lines = sourceContentFor(this.#map, source)?.split(/\r?\n/) ?? []

    this.#lines.set(source, lines)

    return lines
  }

  #at(line: number, column: number, functionName: string): Position | undefined {
    const found = this.#original(line, column)
    if (!found) return undefined
    const declaration = functionName ? declaredIn(this.#script, functionName, line - 1, column) : undefined

    return { ...found, functionName: declaration === undefined ? undefined : this.#original(line, declaration)?.name }
  }

  #ofLine(line: number) {
    const first = originalPositionFor(this.#map, { line, column: 0, bias: LEAST_UPPER_BOUND })
    const last = this.#original(line, Number.MAX_SAFE_INTEGER)

    return last && first.source === last.source && first.line === last.line ? last : undefined
  }

  #original(line: number, column: number): Position | undefined {
    if (line < 1 || column < 0) return undefined
    const { source, line: originalLine, column: originalColumn, name } = originalPositionFor(this.#map, { line, column })

    if (source === null) return undefined
    const lines = this.#linesOf(source)
    const text = lines[originalLine - 1] ?? ''

    return {
      source,
      line: originalLine,
      column: originalColumn + 1,
      name: name ?? identifier.exec(text.slice(originalColumn, originalColumn + 200))?.[0],
      isIgnored: isIgnored(this.#map, source),
      context: contextOf(lines, originalLine - 1)
    }
  }
}

function contextOf(lines: string[], at: number): SourceContext {
  if (lines[at] === undefined) return {}
  const cut = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(line => line.slice(0, longestLine))

  return { pre_context: cut(at - around, at), context_line: lines[at].slice(0, longestLine), post_context: cut(at + 1, at + 1 + around) }
}

/** Counts separators instead of decoding. */
function countMappings(given: unknown): number {
  const { mappings, sections } = (typeof given === 'string' ? JSON.parse(given) : (given ?? {})) as {
    mappings?: unknown
    sections?: unknown
  }

  if (Array.isArray(sections)) return sections.reduce<number>((sum, section) => sum + 1 + countMappings(section?.map), 0)

  return typeof mappings === 'string' ? 1 + countOf(mappings, ',') + countOf(mappings, ';') : 0
}

function countOf(text: string, separator: string) {
  let count = 0

  for (let at = text.indexOf(separator); at >= 0 && count <= maxMappings; at = text.indexOf(separator, at + 1)) count++

  return count
}
