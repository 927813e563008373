import { basename } from 'node:path'
import t from 'tap'
import { filesIn, read } from './support/sources.ts'

/**
 * Names that were replaced by standard terms, and sentences that are hard to read, do not come back.
 */
const self = 'test/words.test.ts'
const code = [
  ...filesIn(['src', 'workers', 'test'], '.ts'),
  ...filesIn(['bin', 'bench'], '.js'),
  ...filesIn(['bench'], '.ts'),
  ...filesIn(['test'], '.mjs')
].filter(file => file !== self && !file.startsWith('src/migrations/'))
const prose = [...filesIn(['docs'], '.md'), 'README.md']

const oldNames = String.raw`
  lookOver\w* glance\w* handIn Standing Circumstances Means Findings withoutProjects claimUncounted flaws? Memory(?=<)
  [aA]nnounce\w* [cC]ulprits setAside Letters? leafPage TellOtherwise dropOvergrown dropOld\w* Shown\w* readShown Deeds?
  Visits? tell[A-Z]\w* say[A-Z]\w* noteDown keep(?!Alive|Names)[A-Z]\w* most[A-Z]\w*
`
  .trim()
  .split(/\s+/)
  .join('|')
const variables =
  'known|seen|told|taken|gone|wanted|sought|numbered|words|others|own|most|whole|sight|reach|ours|theirs|say|tell|lots|heard'

const rules = [
  {
    name: 'code uses the standard names',
    pattern: new RegExp(`(?<![\\w-])(${oldNames})(?![\\w-])`),
    files: code
  },
  {
    name: 'variables and functions are called after what they hold or do',
    pattern: new RegExp(`\\b(const|let|function) (${variables})\\b`),
    files: code
  },
  {
    name: 'sentences begin with their subject',
    pattern:
      /(\/\/|\*|["'`]) *(What (is|was|comes|came|goes|went|has|stands|others)|Those (that|who)|Of (those|what|which|two)|As (many|long|far)) /,
    files: [...code, ...prose]
  },
  {
    name: 'sentences name users, processes and callers instead of somebody',
    pattern: /(?<![\w"'`])([Ww]hoever|[Nn]obody|[Ss]omebody|[Aa]nybody)\b(?!["'`@])/,
    files: [...code, ...prose]
  }
]

for (const { name, pattern, files } of rules) {
  t.test(name, async t => {
    const found = files.flatMap(file => linesWith(pattern, file))
    t.same(found, [])
  })
}

t.test('files are called after a thing, or after a verb with its object', async t => {
  const riddles =
    /^(lots|hold|gone|each|say|taken|wanted|by-hand|keep|sight|reach|sought|crowd|crowded|way-back|whole|nest|note-down|follow-news|door|thread(?!-))\b/
  const verb = /^(add|change|check|close|create|delete|find|get|list|load|make|open|parse|read|remove|send|set|show|take|update|write)\.ts$/
  const isWrong = (file: string) => riddles.test(basename(file)) || (/^(src|workers)\//.test(file) && verb.test(basename(file)))

  t.same(
    code.filter(file => isWrong(file)),
    []
  )
})

function linesWith(pattern: RegExp, file: string) {
  const lines = read(file).split('\n')

  return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : []))
}
