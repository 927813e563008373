import type { Found, FoundError, FoundEvent, Values } from './inbox.ts'
import type { Sdk } from './sdks.ts'

/** The mistakes in each kind of received data; none when all is as expected. */
export interface Verdict {
  exception: string[]
  message: string[]
  /** Undefined for a client without sessions. */
  session?: string[]
}

/** Compares what arrived from so many runs with what the SDK's users expect to see. */
export function judge(found: Found, sdk: Sdk, runs: number): Verdict {
  const isMessage = ({ name }: { name: string }) => name === 'The till is low on paper'
  const exceptions = found.errors.filter(error => !isMessage(error))
  const messages = found.errors.filter(isMessage)

  return {
    exception: [
      ...onlyOne(exceptions, runs),
      ...exceptions.flatMap(error => [...judgeException(error, sdk), ...error.events.flatMap(event => judgeEvent(event, sdk))])
    ],
    message: [
      ...onlyOne(messages, runs),
      ...messages.flatMap(error => [
        ...differences({ level: [error.level, 'warning'] }),
        ...error.events.flatMap(event => differences(setting(event)))
      ])
    ],
    session: sdk.session && judgeSessions(found.sessions, sdk.session, runs)
  }
}

function onlyOne(errors: FoundError[], runs: number) {
  const [error, ...others] = errors

  if (!error || others.length > 0)
    return [`groups: ${errors.map(({ name, description }) => `${name}: ${description}`).join(' | ') || 'none'}`]

  return differences({ count: [error.event_count, runs], users: [error.approximated_user_count, 1] })
}

function judgeException(error: FoundError, sdk: Sdk) {
  return differences({
    name: [error.name, sdk.exception],
    description: [error.description, /^order \d was not paid/i],
    actor: [error.actor, sdk.function],
    level: [error.level, 'error'],
    platform: [error.platform, sdk.platform],
    'first release': [error.first_release, 'shop@1.2.3'],
    environments: [error.environments.join(), 'testing']
  })
}

function judgeEvent(event: FoundEvent, sdk: Sdk) {
  const { exception, stacktrace, threads, breadcrumbs } = event.payload
  const chain = all(exception)
  const frames = [chain.at(-1)?.stacktrace, stacktrace, ...all(threads).map(thread => thread.stacktrace)].flatMap(
    stack => stack?.frames ?? []
  )
  // As for the culprit: some clients mark no frame as in-app.
  const at = frames.findLast(frame => frame.in_app) ?? frames.at(-1)

  return differences({
    ...setting(event),
    'tag level': [event.tags.level, 'error'],
    cause: [sdk.cause && chain[0]?.type, sdk.cause],
    'frame function': [at?.function, innermost(sdk.function)],
    'frame file': [at?.filename ?? at?.abs_path, sdk.file],
    'frame line': [(at?.lineno ?? 0) > 0, true],
    breadcrumb: [
      all(breadcrumbs)
        .map(({ message }) => message)
        .join(),
      'The cart was opened'
    ]
  })
}

function all<T>({ values }: Values<T> = { values: [] }) {
  return values
}

function setting(event: FoundEvent): Record<string, Pair> {
  return {
    release: [event.release, 'shop@1.2.3'],
    environment: [event.environment, 'testing'],
    'tag till': [event.tags.till, '4'],
    user: [event.payload.user?.email, 'ann@example.com']
  }
}

function judgeSessions(sessions: Found['sessions'], bucket: 'errored' | 'exited', runs: number) {
  const none = { started: 0, exited: 0, errored: 0, crashed: 0, abnormal: 0 }
  const expected: Found['sessions'] = { ...none, started: runs, [bucket]: runs }

  return differences(
    Object.fromEntries(Object.keys(none).map(name => [name, [sessions[name as keyof typeof none], expected[name as keyof typeof none]]]))
  )
}

type Pair = [is: unknown, expected: unknown]

/** Texts need only contain what is expected. */
function differences(pairs: Record<string, Pair>) {
  return Object.entries(pairs)
    .filter(([, [is, expected]]) => !fits(is, expected))
    .map(
      ([what, [is, expected]]) =>
        `${what} is ${JSON.stringify(is)}, not ${expected instanceof RegExp ? expected : JSON.stringify(expected)}`
    )
}

function fits(is: unknown, expected: unknown) {
  if (expected instanceof RegExp) return expected.test(String(is))

  return typeof expected === 'string' ? typeof is === 'string' && is.includes(expected) : is === expected
}

/** Some clients write the namespace into the module instead. */
function innermost(name: string) {
  return name.split(/::|\\/).at(-1)!
}
