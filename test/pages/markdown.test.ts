import t from 'tap'
import { markdown, markdownOf } from '#pages/layout/markdown.ts'
import { payloads } from './xss-payloads.ts'

async function render(text: string) {
  return /^<div class="markdown" dir="auto">([\s\S]*?)\n?<\/div>$/.exec((await markdown(text)).toString())![1]!
}

t.test('Markdown becomes paragraphs, lists, code, tables, links, tasks and mentions', async t => {
  for (const [text, expected] of [
    ['a **b**\nc', '<p>a <strong>b</strong><br>\nc</p>'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['see https://example.com', '<p>see <a href="https://example.com" rel="noreferrer noopener nofollow">https://example.com</a></p>'],
    ['[x](/projects/1)', '<p><a href="/projects/1" rel="noreferrer noopener nofollow">x</a></p>'],
    ['|a|\n|-:|\n|b|', '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>'],
    ['- [x] done\n- [ ] open', '<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>'],
    [
      '(@ann) a@b.example',
      '<p>(<a class="mention" href="/ann">@ann</a>) <a href="mailto:a@b.example" rel="noreferrer noopener nofollow">a@b.example</a></p>'
    ],
    ['thanks @ann.', '<p>thanks <a class="mention" href="/ann">@ann</a>.</p>'],
    ['[to @ann](/x)', '<p><a href="/x" rel="noreferrer noopener nofollow">to @ann</a></p>']
  ] as const)
    t.equal(await render(text), expected)
})

t.test('images of this site are shown, and those of other hosts are links', async t => {
  t.equal(await render('![graph](/uploads/a.png)'), '<p><img src="/uploads/a.png" alt="graph" loading="lazy"></p>')
  t.equal(
    await render('![graph](https://x.example/a.png)'),
    '<p><a href="https://x.example/a.png" rel="noreferrer noopener nofollow">graph</a></p>'
  )
  for (const source of ['//x.example/a.png', 'data:image/png;base64,AA', 'javascript:alert(1)'])
    t.notMatch(await render(`![a](${source})`), /<(img|a)/)
})

t.test('no payload becomes an element or a link that runs', async t => {
  for (const payload of payloads) {
    for (const text of [payload, `[a](${payload})`, `![a](${payload})`, `<${payload}>`, `[a]: ${payload}\n\n[a]`]) {
      const elements = [...(await render(text)).matchAll(/<(\w+)((?:\s[\w-]+="[^"]*")*)\s*>/g)]
      const rendered = (await render(text)).replace(/<\/?\w+(?:\s[\w-]+="[^"]*")*\s*>/g, '')

      t.notMatch(rendered, /<[a-z/!]/i, text)
      for (const [element, name, attributes] of elements) {
        t.match(name, /^(p|a|img|strong|em|code|pre|ul|ol|li|br|h\d|blockquote|hr|table|thead|tbody|tr|th|td|s)$/, text)
        t.notMatch(attributes ?? '', /\s(on\w+|style)=|="\s*(?!https?:|mailto:|\/|#)[a-z]+:/i, element)
      }
    }
  }
})

t.test('invisible characters are visible, and long texts are cut', async t => {
  t.equal(await render('a\u202eb'), '<p>a[U+202E]b</p>')
  t.equal(
    (await markdown('x'.repeat(100_001))).toString(),
    `<div class="markdown" dir="auto"><p>${'x'.repeat(100_000)}</p>\n</div><p class="hint">The first 100000 of 100001 characters are shown.</p>`
  )
})

t.test('a long text is rendered apart from the event loop, and as it was written when it takes too long', async t => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)

  for (const piece of ['***a', '*_', 'a@b.c ', '![', '[a]: b\n', '|a|b|\n|-|-|\n']) {
    turns = 0
    t.match((await markdown(piece.repeat(100_000 / piece.length))).toString(), /^<div class="markdown" dir="auto">(?!<pre>)/)
    t.ok(turns > 10, `${turns} turns during ${JSON.stringify(piece)}`)
  }
  clearInterval(timer)
  const slow = await markdownOf(Array(200).fill('!['.repeat(50_000)))

  t.match(slow[3]!.toString(), /^<div class="markdown" dir="auto"><pre>!\[/, 'after others that took long')
  t.match(slow.at(-1)!.toString(), /The first 1000 of 100000 characters are shown\./)
  t.match((await markdown(`**a**${'x'.repeat(5000)}`)).toString(), /<strong>a/, 'the next page is as usual')
})
