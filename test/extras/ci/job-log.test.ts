import t from 'tap'
import { logView } from '#extras/ci/pages/log-view.ts'
import { type LogPart, readLog } from '#extras/ci/pages/read-log.ts'

const esc = '\u001b'
const view = (log: string) => String(logView(readLog(log)))
/** Without the frame of the log. */
const inner = (log: string) => /^<div class="log"[^>]*>(.*)<\/div>$/s.exec(view(log))![1]!
const start = (name: string, time = 1, options = '') => `section_start:${time}:${name}${options}\r${esc}[0K`
const end = (name: string, time = 1) => `section_end:${time}:${name}\r${esc}[0K\n`
const shape = (parts: LogPart[]): unknown[] =>
  parts.map(part => ('lines' in part ? part.lines.map(line => line.map(({ text }) => text).join('')) : { [part.name]: shape(part.parts) }))

t.test('the 16 colours, bold and colours behind the text are classes', async t => {
  t.equal(inner(`${esc}[31mred${esc}[0m plain`), '<pre><span class="ansi-1">red</span> plain\n</pre>')
  t.equal(
    inner(`${esc}[1;92mbright${esc}[22m thin`),
    '<pre><span class="ansi-10 bold">bright</span><span class="ansi-10"> thin</span>\n</pre>'
  )
  t.equal(inner(`${esc}[30;41mfail${esc}[49;39m.`), '<pre><span class="ansi-on-1">fail</span>.\n</pre>')
  t.equal(inner(`${esc}[100mgrey`), '<pre><span class="ansi-on-8">grey</span>\n</pre>')
  t.equal(
    inner(`${esc}[34;7minverse${esc}[27m blue`),
    '<pre><span class="ansi-on-4">inverse</span><span class="ansi-4"> blue</span>\n</pre>'
  )
  t.equal(
    inner(`${esc}[38;5;9mnine${esc}[38;5;200m other${esc}[38;2;1;31;41m true`),
    '<pre><span class="ansi-9">nine</span> other true\n</pre>'
  )
  t.equal(inner(`${esc}[32mone\ntwo${esc}[m`), '<pre><span class="ansi-2">one</span>\n<span class="ansi-2">two</span>\n</pre>')
  t.equal(inner(`a${esc}]0;title\u0007b${esc}]8;;http://x${esc}\\c${esc}[2Kd${esc}(Be`), '<pre>abcde\n</pre>')
})

t.test('sections fold, nest, begin collapsed and have their time', async t => {
  const log = `before\n${start('outer', 10)}Outer\n${start('inner', 20, '[collapsed=true]')}Inner\ndeep\n${end('inner', 82)}out\n${end('outer', 100)}after`

  t.equal(
    inner(log),
    '<pre>before\n</pre><details open><summary><span>Outer</span> <span class="hint">1 min</span></summary>' +
      '<details><summary><span>Inner</span> <span class="hint">1 min</span></summary><pre>deep\n</pre></details><pre>out\n</pre></details><pre>after\n</pre>'
  )
  t.match(
    inner(`${start('get_sources')}\nx`),
    '<summary><span>get sources</span></summary><pre>x\n</pre>',
    'a section without a header has its name'
  )
  t.notMatch(inner(`${start('a', 9)}A\n${end('a', 2)}`), /hint/, 'an end before the start is no time')
})

t.test('sections that are not closed, not opened or cross each other lose no line', async t => {
  t.same(shape(readLog(`${start('a')}A\nx`)), [{ a: [['x']] }])
  t.same(shape(readLog(`x\n${end('a')}y`)), [['x', 'y']])
  t.same(shape(readLog(`${start('a')}A\n${start('b')}B\nx\n${end('a')}y\n${end('b')}z`)), [{ a: [{ b: [['x']] }] }, ['y', 'z']])
  t.same(shape(readLog(`${start('a')}A\n${start('a')}A\nx\n${end('a')}y\n${end('a')}z`)), [{ a: [{ a: [['x']] }, ['y']] }, ['z']])
  for (const text of ['section_start:x:a', 'section_start:1:<b>', 'say section_start:1:a', 'section_start:1:a[x'])
    t.same(shape(readLog(`${text}\n`)), [[text]], text)
})

t.test('what a log contains stays text', async t => {
  for (const log of [
    `${start('a')}<img src=x onerror=alert(1)>\n"'</pre></details>`,
    `${start('a', 1, '[collapsed=true" onload="x]')}\n`,
    `${esc}[31"><script>alert(1)</script>m`,
    `${esc}]8;;javascript:alert(1)${esc}\\<b>link</b>`,
    `${esc}[<script>m`
  ])
    t.notMatch(inner(log), /<(?!\/?(pre|details( open)?|summary|span( class="(ansi-|hint|bold)[^"]*")?)>)/, log)
  t.equal(inner(`${esc}[31`), '<pre>31\n</pre>')
  t.equal(inner(`a${esc}`), '<pre>a\n</pre>')
  t.equal(inner(`${esc}[999999;38;5;;mx${esc}[38mx${esc}[48;5mx`), '<pre>xxx\n</pre>')
})

t.test('a hostile log makes a page of bounded size, soon, and nests no further than eight sections', async t => {
  const size = 256 * 1024
  const repeated = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
  const depth = (html: string) =>
    Math.max(...[...html.matchAll(/(?:<details[^>]*>(?:<summary>.*?<\/summary>)?)+/gs)].map(([run]) => run.split('<details').length - 1))

  t.equal(depth(view(repeated(`${start('a')}A\n`))), 8)
  t.equal(view(`${start('a')}A\n${end('a')}`.repeat(5000)).split('<details').length - 1, 500)
  for (const text of [
    esc,
    `${esc}[`,
    `${esc}[1;`,
    `${esc}[1m`,
    `${esc}]`,
    '\r',
    '\r\n',
    start('a'),
    `${start('a')}A\n`,
    end('b'),
    'section_start:',
    `${esc}[0Ksection_end:1:a\r`,
    ';',
    '2026-11-25T03:23:46.309576Z 00O+'
  ]) {
    for (const log of [repeated(text), `${esc}[${repeated(text)}`]) {
      const { length } = view(log)

      t.ok(length < size * 12, `${JSON.stringify(text)}: ${length} characters`)
    }
  }
})
