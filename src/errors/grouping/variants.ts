import { cspVariant } from './csp.ts'
import type { readTrace, Variants } from './frames.ts'
import { type Exception, type GroupingInput, mainException } from './grouping-input.ts'

/** Types of exceptions whose variants are memoized for one trace. */
const maxMemoized = 20

/** Groups by exceptions, or else by stack trace, CSP report, message; without any, by level and logger. */
export function groupingVariants(input: GroupingInput, read: typeof readTrace): Variants {
  return (
    exceptionVariants(input, read) ??
    stackVariants(input, read) ??
    systemOnly(cspVariant(input.event)) ??
    systemOnly(messageVariant(input)) ?? { app: '', system: `<no-message>\n${input.level}\n${input.logger}` }
  )
}

function exceptionVariants(input: GroupingInput, read: typeof readTrace): Variants | undefined {
  if (!mainException(input)) return undefined
  const components = inStableOrder(
    input,
    unique(input.exceptions.map(exception => exceptionComponent(exception, input, read)).filter(contributes))
  )
  if (components.length === 0) return undefined
  const [{ head, trace }] = components as [Component]
  const memo = components.length === 1 ? trace.variants : undefined
  const variants = memo?.get(head) ?? joinComponents(components)

  if (memo && memo.size < maxMemoized) memo.set(head, variants)

  return variants
}

function joinComponents(components: Component[]): Variants {
  const isInApp = components.some(({ trace }) => trace.app !== '')

  return {
    app: isInApp ? components.reduce((text, { head, trace }) => text + head + trace.app, 'exception\n') : '',
    system: components.reduce((text, { head, trace }) => text + head + trace.system, 'exception\n')
  }
}

/** Uses the message only without frames: it differs between browsers and occurrences. */
function exceptionComponent(
  { type, value, isSynthetic, frames }: Exception,
  { platform, parameterise }: GroupingInput,
  read: typeof readTrace
) {
  const trace = read(frames, platform)
  const name = isSynthetic ? '' : typeName(type)
  const message = trace.system === '' ? parameterise(firstLines(value)) : ''

  return { head: message ? `${name}\n\t${message}\n` : `${name}\n`, trace }
}

type Component = ReturnType<typeof exceptionComponent>

function contributes({ head, trace }: Component) {
  return head !== '\n' || trace.system !== ''
}

/** Equal exceptions, such as of parallel tasks, count once: their number is random. */
function unique(components: Component[]) {
  if (components.length < 2) return components

  return [...new Map(components.map(component => [component.head + component.trace.system, component])).values()]
}

/** Which of parallel tasks fails first is random. The group itself, with what raised it, stays the last. */
function inStableOrder({ exceptions }: GroupingInput, components: Component[]) {
  if (components.length < 3 || !exceptions.some(({ isGroup }) => isGroup)) return components
  const text = ({ head, trace }: Component) => head + trace.system

  return [...components.slice(0, -1).toSorted((a, b) => (text(a) < text(b) ? -1 : 1)), components.at(-1)!]
}

/** A stack trace without an exception, with or without a message. */
function stackVariants(input: GroupingInput, read: typeof readTrace): Variants | undefined {
  const trace = input.frames.length > 0 && read(input.frames, input.platform)

  if (!trace || trace.system === '') return undefined
  const head = `stack\n${messageVariant(input)}\n`

  return { app: trace.app && head + trace.app, system: head + trace.system }
}

function messageVariant({ template, exceptions, parameterise }: GroupingInput) {
  const message = firstLines(template || (exceptions.at(-1)?.value ?? ''))

  return message && `message\n${parameterise(message)}`
}

function systemOnly(system: string | undefined): Variants | undefined {
  return system ? { app: '', system } : undefined
}

/** The name of PHP's anonymous classes contains their file and an address. */
function typeName(type: string) {
  return type.includes('@anonymous') ? type.slice(0, type.indexOf('@anonymous')) : type
}

/** The first two lines that are not blank: dumps and stack traces follow below them. */
function firstLines(text: string) {
  if (!text.includes('\n')) return text.trim()
  const lines = text.slice(0, 1 << 16).split('\n')

  return lines
    .map(line => line.trim())
    .filter(Boolean)
    .slice(0, 2)
    .join('\n')
}
