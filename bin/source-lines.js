import { dirname, join, relative } from 'node:path'
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping'
import { root } from './install.js'

/**
 * Where the lines of the sources begin in a bundle: its line and column, the index of the source and the line there. In
 * order, so that a position of a stack trace is searched for without the memory that a source map takes
 * (src/platform/observability/source-lines.ts).
 */
export function sourceLines(path, sourceMap) {
  const map = new TraceMap(sourceMap)
  const table = []
  let last = ''

  for (const [line, segments] of decodedMappings(map).entries()) {
    for (const [column, source, sourceLine] of segments) {
      if (source === undefined || last === `${source}:${sourceLine}`) continue
      table.push(line + 1, column + 1, source, sourceLine + 1)
      last = `${source}:${sourceLine}`
    }
  }

  return { table: Uint32Array.from(table), sources: map.sources.map(source => relative(root, join(dirname(path), source))) }
}
