import MarkdownIt from 'markdown-it'
import { showInvisible } from './isolate.ts'

const renderer = new MarkdownIt({ html: false, linkify: true, breaks: true })

/** Markdown that users and programs wrote, as markup: no HTML, only safe links, and no images of other hosts. */
export function renderMarkdown(text: string) {
  return renderer.render(showInvisible(text).replaceAll('\0', ''))
}

/** Links to web pages, mail addresses, and pages of this site. */
renderer.validateLink = url => /^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(url.trim())

const { escapeHtml } = renderer.utils
const mention = /(^|[\s(])@([a-z\d](?:[\w.-]{0,253}\w)?)/gi

renderer.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  const link = tokens[index]!

  link.attrSet('rel', 'noreferrer noopener nofollow')

  return self.renderToken(tokens, index, options)
}

/** Other hosts would learn who reads the page: their images are links. */
renderer.renderer.rules.image = (tokens, index) => {
  const { content, attrs } = tokens[index]!
  const source = String(attrs?.find(([name]) => name === 'src')?.[1] ?? '')
  const url = escapeHtml(source)
  const text = escapeHtml(content || source)

  return source.startsWith('/')
    ? `<img src="${url}" alt="${escapeHtml(content)}" loading="lazy">`
    : `<a href="${url}" rel="noreferrer noopener nofollow">${text}</a>`
}

/** `@ann` links to her page, except within another link. */
renderer.renderer.rules.text = (tokens, index) => {
  const { content, meta } = tokens[index]!
  const text = escapeHtml(content)

  return meta?.isInLink ? text : text.replace(mention, '$1<a class="mention" href="/$2">@$2</a>')
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

renderer.core.ruler.after('linkify', 'links', ({ tokens }) => {
  for (const { children } of tokens) {
    let isInLink = false

    for (const token of children ?? []) {
      if (token.type === 'link_open') isInLink = true
      else if (token.type === 'link_close') isInLink = false
      else if (isInLink && token.type === 'text') token.meta = { isInLink }
    }
  }
})
