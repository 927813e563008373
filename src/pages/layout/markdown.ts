import MarkdownIt, { type Env } from 'markdown-it'
import { html, trusted } from './html.ts'
import { showInvisible } from './isolate.ts'

const maxLength = 100_000
const renderer = new MarkdownIt({ html: false, linkify: true, breaks: true })

/**
 * Markdown that users and programs wrote: no HTML, only safe links, and no images of other hosts. With a project,
 * the addresses of its uploads are complete.
 */
export function markdown(text: string, projectId?: number) {
  const source = showInvisible(text.slice(0, maxLength)).replaceAll('\0', '')

  return html`<div class="markdown" dir="auto">${trusted(renderer.render(source, { projectId }))}</div>`
}

/** `/uploads/…`, as the API names an upload, at its address. */
function addressOf(url: string, { projectId }: Partial<Env> = {}) {
  return projectId !== undefined && /^\/uploads\/[0-9a-f]{32}\/[^/]+$/.test(url) ? `/api/v4/projects/${projectId}${url}` : url
}

/** Links to web pages, mail addresses, and pages of this site. */
renderer.validateLink = url => /^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(url.trim())

const { escapeHtml } = renderer.utils
const mention = /(^|[\s(])@([a-z\d](?:[\w.-]{0,253}\w)?)/gi

renderer.renderer.rules.link_open = (tokens, index, options, env: Env | undefined, self) => {
  const link = tokens[index]!

  link.attrSet('rel', 'noreferrer noopener nofollow')
  link.attrSet('href', addressOf(String(link.attrGet('href') ?? ''), env))

  return self.renderToken(tokens, index, options)
}

/** Other hosts would learn who reads the page: their images are links. */
renderer.renderer.rules.image = (tokens, index, _options, env: Env | undefined) => {
  const { content, attrs } = tokens[index]!
  const source = addressOf(String(attrs?.find(([name]) => name === 'src')?.[1] ?? ''), env)
  const url = escapeHtml(source)
  const text = escapeHtml(content || source)

  return source.startsWith('/')
    ? `<img src="${url}" alt="${escapeHtml(content)}" loading="lazy">`
    : `<a href="${url}" rel="noreferrer noopener nofollow">${text}</a>`
}

/** `@ann` links to her page, except within another link. */
renderer.renderer.rules.text = (tokens, index) => {
  const text = escapeHtml(tokens[index]!.content)
  const isInLink = tokens.slice(0, index).findLast(({ type }) => type.startsWith('link_'))?.type === 'link_open'

  return isInLink ? text : text.replace(mention, '$1<a class="mention" href="/$2">@$2</a>')
}

/** Columns are aligned by inline styles, which the content security policy forbids. */
for (const name of ['th_open', 'td_open']) renderer.renderer.rules[name] = () => `<${name.slice(0, 2)}>`

/** `[ ]` and `[x]` at the start of a list item are check boxes. */
renderer.core.ruler.after('inline', 'tasks', ({ tokens }) => {
  for (const [n, token] of tokens.entries()) {
    const [, mark] = tokens[n - 2]?.type === 'list_item_open' ? (/^\[([ x])\] /i.exec(token.content) ?? []) : []
    const [first] = token.children ?? []

    if (mark === undefined || first?.type !== 'text') continue
    first.content = `${mark === ' ' ? '☐' : '☑'} ${first.content.slice(4)}`
  }
})
