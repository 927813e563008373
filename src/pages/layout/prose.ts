import type { FastifyInstance } from 'fastify'

/** Text in which `backticks` mark code, in paragraphs where there is an empty line. */
export function prose({ html }: FastifyInstance, text: string) {
  return text
    .split('`')
    .map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('')
}

export function paragraphs(app: FastifyInstance, text: string) {
  return text.split(/\n\s*\n/).map(paragraph => `<p>${prose(app, paragraph)}</p>`)
}
