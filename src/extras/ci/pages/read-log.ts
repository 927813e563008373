import { readSpans, type Span, type Style, withoutEscapes } from './read-spans.ts'

export type Line = Span[]

/** Lines, and the sections between them. */
export type LogPart = { lines: Line[] } | LogSection

export interface LogSection {
  name: string
  header: Line
  parts: LogPart[]
  isCollapsed: boolean
  /** From its start to its end, if it has one. */
  milliseconds?: number
}

/** `section_start:1732360000:build[collapsed=true]`, with the time in seconds. */
const mark = /^section_(start|end):(\d{1,12}):([\w.-]{1,255})(?:\[([^\]]{0,255})\])?$/
/** Marks beyond these are ignored: their lines belong to the section around them. */
const maxDepth = 8
const maxSections = 500

/**
 * What a job printed, as a terminal shows it: with colours, without what was written over, and with the sections that gitlab-runner
 * and scripts mark. Each character is looked at a bounded number of times, and the log may be cut or hostile.
 */
export function readLog(log: string): LogPart[] {
  const reader = new LogReader()

  for (const line of joinLines(log.replace(/\n$/, ''))) reader.read(line)

  return reader.parts
}

interface OpenSection {
  section: LogSection
  startedAt: number
}

class LogReader {
  parts: LogPart[] = []
  #open: OpenSection[] = []
  #style: Style = {}
  #sections = 0

  /** What a carriage return separates: marks, and texts of which each is written over the last. */
  read(line: string) {
    let text = ''
    let isMarked = false
    let begun: LogSection | undefined

    for (const part of line.split('\r')) {
      const [found, kind, time, name, options] = mark.exec(withoutEscapes(part)) ?? []

      if (found) {
        isMarked = true
        begun = kind === 'start' ? this.#begin(name!, Number(time), options) : this.#end(name!, Number(time))
      } else if (part !== '') text = part
    }
    this.#add(text, begun, isMarked)
  }

  #add(text: string, begun: LogSection | undefined, isMarked: boolean) {
    const { spans, style } = readSpans(text, this.#style)

    this.#style = style
    if (isMarked && spans.length === 0) return
    if (begun) begun.header = spans
    else linesAtEnd(this.#open.at(-1)?.section.parts ?? this.parts).push(spans)
  }

  #begin(name: string, startedAt: number, options = '') {
    if (this.#open.length >= maxDepth || this.#sections >= maxSections) return undefined
    const section: LogSection = { name, header: [], parts: [], isCollapsed: options.split(',').includes('collapsed=true') }

    ;(this.#open.at(-1)?.section.parts ?? this.parts).push(section)
    this.#open.push({ section, startedAt })
    this.#sections++

    return section
  }

  /** It ends the sections within, too. */
  #end(name: string, at: number) {
    const index = this.#open.findLastIndex(({ section }) => section.name === name)

    if (index === -1) return undefined
    const [{ section, startedAt }] = this.#open.splice(index) as [OpenSection]

    if (at >= startedAt) section.milliseconds = (at - startedAt) * 1000

    return undefined
  }
}

function linesAtEnd(parts: LogPart[]) {
  const last = parts.at(-1)

  if (last && 'lines' in last) return last.lines
  const lines: Line[] = []

  parts.push({ lines })

  return lines
}

/** `2026-11-25T03:23:46.309576Z 00O `: time and stream of the line; with `+` for the space, it continues the line before. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z [0-9a-f]{2}[OE]([ +])/

/** The lines of a log without what gitlab-runner writes before each. */
function joinLines(log: string) {
  const joined: string[] = []

  for (const line of log.split('\n')) {
    const [before = '', flag] = timestamp.exec(line) ?? []
    const text = line.slice(before.length)

    if (flag === '+' && joined.length > 0) joined.push(joined.pop()! + text)
    else joined.push(text)
  }

  return joined
}
