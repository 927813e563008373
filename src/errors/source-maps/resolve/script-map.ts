import {
  decodedMappings,
  FlattenMap,
  isIgnored,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  sourceContentFor,
  type TraceMap
} from '@jridgewell/trace-mapping'
import { findDeclaration } from './find-declaration.ts'

/** A frame's position in its script; both numbers from 1. */
export interface GeneratedPosition {
  line: number
  column: number | undefined
  /** The part of the function's name that a minifier may have made. */
  functionName: string
}

export interface OriginalPosition {
  source: string
  /** Both from 1. */
  line: number
  column: number
  /** The identifier at the position. */
  name?: string
  /** Name of the enclosing function, if its declaration was found. */
  functionName?: string
  isIgnored: boolean
  /** Empty if the map does not contain the source. */
  context: SourceContext
}

export interface SourceContext {
  pre_context?: string[]
  context_line?: string
  post_context?: string[]
}

/** Thrown before decoding: the mappings would not fit into memory. */
export class SourceMapTooLarge extends Error {}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u
const maxMappings = 1_000_000
/** Bytes that a decoded mapping takes. */
const mappingBytes = 100

/** Lines before and after. */
const contextLines = 5
const maxLineLength = 500

/** A decoded source map with its script, in which declarations of functions are searched. */
export class ScriptMap {
  /** Estimated memory. */
  bytes: number
  #map: TraceMap
  #script: string[]
  #lines = new Map<string, string[]>()

  constructor(json: string, script = '') {
    const parsed = JSON.parse(json.replace(/^\)\]\}'[^\n]*\n/, ''))
    const mappings = countMappings(parsed)

    if (mappings > maxMappings) throw new SourceMapTooLarge(`${mappings} mappings`)
    this.#map = new FlattenMap(parsed)
    // Fail here rather than at the first position.
    decodedMappings(this.#map)
    this.#script = script.split('\n')
    this.bytes = json.length + script.length + mappingBytes * mappings
  }

  /** Without a column, only a line that maps to a single original line is resolved. */
  positionOf({ line, column, functionName }: GeneratedPosition): OriginalPosition | undefined {
    return column === undefined ? this.#ofLine(line) : this.#at(line, column - 1, functionName)
  }

  #linesOf(source: string) {
    const lines = this.#lines.get(source) ?? sourceContentFor(this.#map, source)?.split(/\r?\n/) ?? []

    this.#lines.set(source, lines)

    return lines
  }

  #at(line: number, column: number, functionName: string): OriginalPosition | undefined {
    const position = this.#original(line, column)
    if (!position) return undefined
    const declaration = functionName ? findDeclaration(this.#script, functionName, line - 1, column) : undefined

    return { ...position, functionName: declaration === undefined ? undefined : this.#original(line, declaration)?.name }
  }

  #ofLine(line: number) {
    const first = originalPositionFor(this.#map, { line, column: 0, bias: LEAST_UPPER_BOUND })
    const last = this.#original(line, Number.MAX_SAFE_INTEGER)

    return last && first.source === last.source && first.line === last.line ? last : undefined
  }

  #original(line: number, column: number): OriginalPosition | undefined {
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
  const cut = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(line => line.slice(0, maxLineLength))

  return {
    pre_context: cut(at - contextLines, at),
    context_line: lines[at].slice(0, maxLineLength),
    post_context: cut(at + 1, at + 1 + contextLines)
  }
}

/** Counts separators instead of decoding. */
function countMappings(map: unknown): number {
  const { mappings, sections } = (typeof map === 'string' ? JSON.parse(map) : (map ?? {})) as { mappings?: unknown; sections?: unknown }

  if (Array.isArray(sections)) return sections.reduce<number>((sum, section) => sum + 1 + countMappings(section?.map), 0)

  return typeof mappings === 'string' ? 1 + countOf(mappings, ',') + countOf(mappings, ';') : 0
}

function countOf(text: string, separator: string) {
  let count = 0

  for (let at = text.indexOf(separator); at >= 0 && count <= maxMappings; at = text.indexOf(separator, at + 1)) count++

  return count
}
