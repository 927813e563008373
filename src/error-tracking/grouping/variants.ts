import { isShared, share } from '../parse/shared-values.ts'
import { cspVariant } from './csp.ts'
import { readTrace, type Trace } from './frames.ts'
import { type Exception, type GroupingInput, mainException } from './grouping-input.ts'
import { parameterise } from './parameterise.ts'

/** What tells one problem from another, as far as our own code says it (empty where it does not), and in all. */
export interface Variants {
  app: string
  system: string
}

/** Exceptions tell most, then a stack, then a browser's report, then words; at the very least who spoke how loudly. */
export function groupingVariants(evidence: GroupingInput): Variants {
  return (
    ofExceptions(evidence) ??
    ofStack(evidence) ??
    inAll(cspVariant(evidence.event)) ??
    inAll(ofWords(evidence)) ?? { app: '', system: `<no-message>\n${evidence.level}\n${evidence.logger}` }
  )
}

function ofExceptions(evidence: GroupingInput): Variants | undefined {
  if (!mainException(evidence)) return undefined
  const parts = distinct(evidence.exceptions.map(exception => ofException(exception, evidence.platform)).filter(isTelling))
  if (parts.length === 0) return undefined

  return parts.length === 1 ? ofOnePart(parts[0]!) : ofParts(parts)
}

/** Of traces that events share: the last one of each. */
const known = new WeakMap<Trace, Variants & { head: string }>()

function ofOnePart(part: Part) {
  const { head, trace } = part
  const before = known.get(trace)

  if (before?.head === head) return before
  const contribution = { ...ofParts([part]), head }

  if (isShared(trace)) known.set(trace, share(contribution))

  return contribution
}

function ofParts(parts: Part[]): Variants {
  const isOwn = parts.some(({ trace }) => trace.app !== '')

  return {
    app: isOwn ? parts.reduce((text, { head, trace }) => text + head + trace.app, 'exception\n') : '',
    system: parts.reduce((text, { head, trace }) => text + head + trace.system, 'exception\n')
  }
}

/** Words count only where frames do not, for they differ between browsers, and from one time to the next. */
function ofException({ type, value, isSynthetic, frames }: Exception, platform: string) {
  const trace = readTrace(frames, platform)
  const name = isSynthetic ? '' : typeName(type)
  const words = trace.system === '' ? parameterise(firstLines(value)) : ''

  return { head: words ? `${name}\n\t${words}\n` : `${name}\n`, trace }
}

type Part = ReturnType<typeof ofException>

function isTelling({ head, trace }: Part) {
  return head !== '\n' || trace.system !== ''
}

/** Many of a kind, as of tasks that ran side by side, are one: how many there were is chance. */
function distinct(parts: Part[]) {
  return parts.length < 2 ? parts : [...new Map(parts.map(part => [part.head + part.trace.system, part])).values()]
}

/** A stack alone, or one that came along with a message. */
function ofStack(evidence: GroupingInput): Variants | undefined {
  const trace = evidence.frames.length > 0 && readTrace(evidence.frames, evidence.platform)

  if (!trace || trace.system === '') return undefined
  const head = `stack\n${ofWords(evidence)}\n`

  return { app: trace.app && head + trace.app, system: head + trace.system }
}

function ofWords({ template, exceptions }: GroupingInput) {
  const words = firstLines(template || (exceptions.at(-1)?.value ?? ''))

  return words && `message\n${parameterise(words)}`
}

function inAll(system: string | undefined): Variants | undefined {
  return system ? { app: '', system } : undefined
}

/** PHP names an anonymous class after its file and an address. */
function typeName(type: string) {
  return type.includes('@anonymous') ? type.slice(0, type.indexOf('@anonymous')) : type
}

/** The first two that say something: below them come dumps and stacks. */
export function firstLines(text: string) {
  if (!text.includes('\n')) return text.trim()
  const lines = text.slice(0, 1 << 16).split('\n')

  return lines
    .map(line => line.trim())
    .filter(Boolean)
    .slice(0, 2)
    .join('\n')
}
