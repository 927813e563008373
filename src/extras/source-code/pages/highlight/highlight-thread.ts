import { answerRequests } from '#platform/process/answer-requests.ts'
import type { HighlightRequest } from './highlight.ts'
import { toLines } from './to-lines.ts'

interface Highlighter {
  getLanguage: (name: string) => unknown
  registerLanguage: (name: string, language: unknown) => void
  highlight: (text: string, options: { language: string; ignoreIllegals: boolean }) => { value: string }
}

/** Languages within a language. */
const embedded: Record<string, string[]> = {
  javascript: ['xml', 'css'],
  markdown: ['xml'],
  php: ['xml'],
  typescript: ['xml', 'css'],
  xml: ['css', 'javascript']
}

/** Without its types, which would let the whole program use those of browsers. */
const hljs = await load<Highlighter>('core')

answerRequests<HighlightRequest, string[]>(async ({ language, text }) => {
  for (const name of [language, ...(embedded[language] ?? [])]) {
    if (!hljs.getLanguage(name)) hljs.registerLanguage(name, await load(`languages/${name}`))
  }

  return toLines(hljs.highlight(text, { language, ignoreIllegals: true }).value)
})

/** The name is one of ours, never that of a file. */
async function load<T>(name: string): Promise<T> {
  return (await import(`highlight.js/lib/${name}`)).default
}
