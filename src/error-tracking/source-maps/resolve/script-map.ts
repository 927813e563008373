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
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u
const mostPositions = 2000
/** Of a decoded mapping, for each character of its text. */
const weight = 20

/** A script's map, ready to be asked; the script itself tells the names of functions. */
export class ScriptMap {
  /** About what it takes in memory. */
  bytes: number
  #map: TraceMap
  #script: string[]
  #lines = new Map<string, string[]>()
  #positions = new Map<string, Position | undefined>()

  constructor(json: string, script = '') {
    const given = JSON.parse(json.replace(/^\)\]\}'[^\n]*\n/, ''))

    this.#map = new FlattenMap(given)
    // Now rather than at the first question: what cannot be decoded is to be found here.
    decodedMappings(this.#map)
    this.#script = script.split('\n')
    this.bytes = json.length + script.length + weight * mappingsOf(given)
  }

  /** What stood at a place of the script (both from 1) before it was built; without a column only where the line leaves no doubt. */
  positionOf(line: number, column: number | undefined, functionName: string): Position | undefined {
    const key = `${line}:${column}:${functionName}`

    if (this.#positions.has(key)) return this.#positions.get(key)
    const position = column === undefined ? this.#ofLine(line) : this.#at(line, column - 1, functionName)

    if (this.#positions.size >= mostPositions) this.#positions.clear()
    this.#positions.set(key, position)

    return position
  }

  /** The lines of a source, where the map holds it. */
  linesOf(source: string) {
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
    const text = this.linesOf(source)[originalLine - 1] ?? ''

    return {
      source,
      line: originalLine,
      column: originalColumn + 1,
      name: name ?? identifier.exec(text.slice(originalColumn, originalColumn + 200))?.[0],
      isIgnored: isIgnored(this.#map, source)
    }
  }
}

function mappingsOf({ mappings, sections }: { mappings?: unknown; sections?: { map?: { mappings?: unknown } }[] }): number {
  if (typeof mappings === 'string') return mappings.length

  return (Array.isArray(sections) ? sections : []).reduce((sum, section) => sum + mappingsOf(section?.map ?? {}), 0)
}
