import { html } from '#pages/layout/html.ts'

/** Classes of ours, by the scopes of highlight.js. Others are shown like the text around them. */
const classes: Record<string, string> = {
  ...of('comment', 'comment', 'quote', 'doctag'),
  ...of('keyword', 'keyword', 'selector-tag', 'name', 'operator'),
  ...of('string', 'string', 'regexp', 'symbol', 'char', 'link', 'code'),
  ...of('number', 'number', 'literal', 'bullet'),
  ...of('title', 'title', 'section', 'selector-class', 'selector-id'),
  ...of('type', 'type', 'built_in', 'attr', 'attribute', 'property'),
  ...of('variable', 'variable', 'template-variable', 'params'),
  ...of('meta', 'meta'),
  ...of('subst', 'subst'),
  ...of('addition', 'addition'),
  ...of('deletion', 'deletion')
}

function of(name: string, ...scopes: string[]) {
  return Object.fromEntries(scopes.map(scope => [scope, `hl-${name}`]))
}

const token = /<span class="([^"]*)">|(<\/span>)|(\n)/

/** Lines of what highlight.js wrote, whose spans may begin on one line and end on another. Its texts are escaped again, as on every page. */
export function toLines(highlighted: string): string[] {
  const lines: string[] = []
  const open: (string | undefined)[] = []
  let line = ''

  for (const [kind, text] of tokensOf(highlighted)) {
    if (kind === 'start') open.push(classOf(text))
    else if (kind === 'end') open.pop()
    else if (kind === 'text')
      line += textOf(
        text,
        open.findLast(name => name !== undefined)
      )
    else {
      lines.push(line)
      line = ''
    }
  }

  return [...lines, line]
}

/** Between two texts are three groups, of which one is set. */
function* tokensOf(highlighted: string): Generator<['start' | 'end' | 'line' | 'text', string]> {
  const parts = highlighted.split(token)

  for (let n = 0; n < parts.length; n += 4) {
    const [text, scope, end, line] = parts.slice(n, n + 4)

    if (text) yield ['text', plain(text)]
    if (scope !== undefined) yield ['start', scope]
    else if (end) yield ['end', '']
    else if (line) yield ['line', '']
  }
}

/** `hljs-title function_`. */
function classOf(scope: string) {
  const name = scope.split(' ', 1)[0]!.replace(/^hljs-/, '')

  return Object.hasOwn(classes, name) ? classes[name] : undefined
}

function textOf(text: string, name: string | undefined) {
  return (name === undefined ? html`${text}` : html`<span class="${name}">${text}</span>`).toString()
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

function plain(text: string) {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, entity => entities[entity]!)
}
