import type { GroupingInput } from './grouping-input.ts'

/** React's messages of one problem, a page that differs from what the server rendered. */
const hydrationMessages = new Set([
  'hydration failed because the initial ui does not match what was rendered on the server.',
  'the server could not finish this suspense boundary, likely due to an error during server rendering. switched to client rendering.',
  'there was an error while hydrating this suspense boundary. switched to client rendering.',
  'there was an error while hydrating. because the error happened outside of a suspense boundary, the entire root will switch to client rendering.',
  'text content does not match server-rendered html.'
])

/** Sentry's built-in fingerprint rules for JavaScript: problems whose stack traces depend on the build or the component. */
export function builtInFingerprint({ platform, exceptions, text, transaction }: GroupingInput) {
  if (platform !== 'javascript' && platform !== 'node') return undefined
  if (exceptions.some(({ type, value }) => type === 'ChunkLoadError' || value.startsWith('ChunkLoadError'))) return ['chunkloaderror']
  const isHydration = [text, ...exceptions.map(({ value }) => value)].some(isHydrationMessage)

  return isHydration && transaction ? ['hydrationerror', transaction] : undefined
}

function isHydrationMessage(message: string) {
  return message.length < 200 && hydrationMessages.has(message.trim().toLowerCase())
}
