import { dirname, join } from 'node:path'
import type { AnyNode, CallExpression, Expression } from 'acorn'
import t from 'tap'
import { type ExtraName, extraNames } from '#settings/extras.ts'
import { filesIn, nodesIn, read, syntaxOf } from './support/sources.ts'

const files = filesIn(['src', 'workers'])

/** Composition may import everything. */
const composition = new Set([
  'src/announce-changes.ts',
  'src/app.ts',
  'src/boot.ts',
  'src/entities.ts',
  'src/extras.ts',
  'src/seed-installation.ts',
  'src/queues.ts',
  'src/rest-api.ts',
  'src/schedule.ts',
  'src/server.ts',
  'workers/main.ts'
])
const layers = { lib: 0, platform: 1, api: 2, domain: 3, intake: 4, pages: 4, dashboard: 4, workers: 5, extras: 6, composition: 7 } as const

/** Domains, lowest first, each with the domains that it may import. */
const domains: Record<string, string[]> = {
  outbox: [],
  audit: ['outbox'],
  activity: [],
  namespaces: [],
  repositories: [],
  'instance-settings': ['audit'],
  identity: ['audit', 'outbox', 'namespaces', 'instance-settings'],
  spam: ['audit', 'identity'],
  tasks: ['audit', 'identity'],
  projects: ['audit', 'activity', 'outbox', 'namespaces', 'repositories', 'instance-settings', 'identity', 'spam', 'tasks'],
  'git-http': ['audit', 'activity', 'outbox', 'namespaces', 'identity', 'projects', 'repositories'],
  snippets: ['namespaces', 'identity'],
  oauth: ['audit', 'identity', 'projects'],
  'storage-moves': ['audit', 'namespaces', 'repositories', 'projects', 'snippets'],
  issues: ['audit', 'activity', 'outbox', 'identity', 'projects', 'spam'],
  alerts: ['audit', 'outbox', 'identity', 'projects'],
  monitors: ['audit', 'identity', 'projects', 'alerts'],
  errors: ['audit', 'activity', 'outbox', 'namespaces', 'repositories', 'identity', 'tasks', 'projects', 'monitors'],
  search: ['namespaces', 'identity', 'projects', 'issues', 'errors'],
  incidents: ['audit', 'identity', 'projects', 'issues', 'alerts', 'errors'],
  notifications: ['audit', 'outbox', 'namespaces', 'identity', 'projects', 'issues', 'alerts', 'errors', 'incidents'],
  mcp: ['audit', 'identity', 'projects', 'issues', 'alerts', 'errors', 'incidents'],
  pages: [
    'audit',
    'namespaces',
    'repositories',
    'instance-settings',
    'identity',
    'spam',
    'tasks',
    'projects',
    'storage-moves',
    'oauth',
    'issues',
    'alerts',
    'monitors',
    'errors',
    'incidents',
    'notifications'
  ]
}

/** Files and folders of domains that speak a protocol of their own, or read what all requests have. */
const protocols = [
  'src/errors/sentry-api/',
  'src/git-http/',
  'src/mcp/',
  'src/oauth/errors.ts',
  'src/oauth/openid/',
  'src/oauth/parameters.ts',
  'src/identity/credentials/session.ts',
  'src/identity/request-context.ts',
  'src/extras/source-code/files/send-stream.ts',
  'src/projects/send-projects.ts'
]

t.test('imports run one way: extras, workers, pages and intake, domain, api, platform, lib', async t => {
  t.ok(files.length > 50)
  const wrong = importsWhere((file, imported) => {
    const [own, other] = [layerOf(file), layerOf(imported)]

    return own !== undefined && other !== undefined && layers[other] > layers[own]
  })

  t.same(wrong, [])
})

t.test('use cases know no HTTP: only the edges of a domain import the conventions of the REST API', async t => {
  const isUseCase = (file: string) => /^(domain|extras)$/.test(layerOf(file) ?? '') && !isEdge(file)

  t.ok(files.filter(isUseCase).length > 500)
  t.same(
    importsWhere((file, imported) => isUseCase(file) && imported.startsWith('src/api/')),
    []
  )
})

t.test('domains import only the domains below them', async t => {
  const names = Object.keys(domains)
  const folders = files.filter(file => /^(domain|pages)$/.test(layerOf(file) ?? '') && file.split('/').length > 2).map(domainOf)

  t.same([...new Set(folders)].sort(), [...names].sort(), 'every domain is listed')
  for (const [domain, allowed] of Object.entries(domains)) {
    t.same(
      allowed.filter(other => names.indexOf(other) >= names.indexOf(domain)),
      [],
      `${domain} imports lower domains only`
    )
  }
  const wrong = importsWhere((file, imported) => {
    const [own, other] = [domainOf(file), domainOf(imported)]

    return own in domains && other in domains && own !== other && !domains[own]!.includes(other)
  })
  t.same(wrong, [])
})

t.test('an extra imports those that it needs, and no other', async t => {
  const nameOf = (file: string) => /^src\/extras\/([^/]+)\//.exec(file)?.[1] as ExtraName | undefined
  const wrong = importsWhere((file, imported) => {
    const [own, other] = [nameOf(file), nameOf(imported)]

    return own !== undefined && other !== undefined && own !== other && !(extraNames[own] as readonly string[]).includes(other)
  })

  t.same(wrong, [])
  t.same([...new Set(files.flatMap(file => nameOf(file) ?? []))].sort(), Object.keys(extraNames).sort())
})

t.test('no file imports itself through others, type imports included', async t => {
  t.same(cyclesIn(new Map(files.map(file => [file, importsOf(file)]))), [])
})

t.test('lib, platform and api receive their settings as arguments', async t => {
  t.same(
    importsWhere((file, imported) => /^src\/(lib|platform|api)\//.test(file) && imported === 'src/config.ts'),
    []
  )
})

t.test('intake of errors and alerts imports contracts, guards and pure code, and no ORM', async t => {
  const allowed =
    /^src\/(lib\/[a-z-]+|intake\/[a-z/-]+|errors\/(jobs|parse\/(envelope|envelope-parser|envelope-limits|read-envelope|store-body)|feedback\/user-report)|alerts\/(jobs|enqueue-alerts|validate-payload)|monitors\/slug|api\/((limits|problems)\/[a-z-]+|parameters\/idempotency-key)|platform\/(problems|(cache|queue|database)\/(cache|listener|job|batcher|abandoned-requests)))\.ts$/
  const isIntake = (file: string) => /^src\/intake\/(errors|alerts)\//.test(file)
  const intake = files.filter(isIntake)

  t.ok(intake.length > 0)
  t.same(
    importsWhere((file, imported) => isIntake(file) && !allowed.test(imported)),
    []
  )
  t.same(filesWith(/mikro-orm/, intake), [])
})

t.test('lock modes are named: the number 4 skips locked rows', async t => {
  t.same(filesWith(/lockMode:\s*\d/), [])
})

t.test('one module redirects, to paths of ours and to applications', async t => {
  const candidates = files.filter(file => file !== 'src/api/redirect.ts')

  t.same(filesWith(/\.redirect\(/, candidates), [])
  t.same(filesWith(/redirectToApplication/, candidates), ['src/pages/oauth/send-response.ts'])
  t.same(filesWith(/\bheaders?\(\W*location\b|, \{ location: (?!ownPath\()/i, candidates), [], 'no other header leads elsewhere')
})

t.test('raw SQL is only in stores and the platform', async t => {
  const rules = {
    'hand-written SQL': /import \{[^}]*\b(query|onConnection)\b[^}]*\} from '[./#]+platform\/database\/database\.ts'/,
    'a whole statement': /\.execute\(\s*[^\s)]/,
    'a way past Kysely': /CompiledQuery|\b(em|getConnection\([^)]*\)|getDriver\(\))\.execute\(|\bclient\.query\(/,
    'a hand-written write': /\b(INSERT INTO|DELETE FROM|UPDATE \S+ SET|TRUNCATE|(CREATE|ALTER|DROP) TABLE)\b/,
    'a hand-written lock': /pg_(try_)?advisory|\bFOR (NO KEY )?UPDATE\b/
  }
  const candidates = files.filter(file => !/-store\.ts$|^src\/(platform|migrations)\//.test(file))

  for (const [name, pattern] of Object.entries(rules)) t.same(filesWith(pattern, candidates), [], name)

  const onPool = filesWith(/\bpool\.query\(/, candidates).filter(
    file => !file.startsWith('src/intake/') && !read(file).includes('CacheDefinition<')
  )

  t.same(onPool, [], 'the plain pool is for intake and cache definitions')
})

t.test('only the configuration reads the environment', async t => {
  t.same(
    filesWith(
      /process\.env/,
      files.filter(file => file !== 'src/config.ts')
    ),
    []
  )
})

t.test('only the platform knows the queue backends', async t => {
  const candidates = files.filter(file => layerOf(file) !== 'platform' && layerOf(file) !== undefined)

  t.same(filesWith(/from '(bullmq|ioredis)'/, candidates), [])
})

t.test('no plugin keeps a copy of what admins change at run time: the address and the mail server', async t => {
  t.same(filesWith(/\{[^{}]*\b(baseUrl|isSecure|smtp)\b[^{}]*\} = (app\.platform\.)?config\b/, files), [])
  t.same(filesWith(/= app\.platform\.config\.(baseUrl|isSecure|smtp)/, files), [])
})

t.test('nothing is called service, manager, helper, util or common', async t => {
  t.same(
    files.filter(file => /service|manager|helper|util|common/i.test(file)),
    []
  )
})

t.test('tests compare values exactly: t.match is for regular expressions', async t => {
  const files = filesIn(['test']).filter(file => /\.(test|slow)\.ts$/.test(file))

  t.same(
    files.flatMap(file => looseMatchesIn(file).map(line => `${file}:${line}`)),
    []
  )
})

function layerOf(file: string): keyof typeof layers | undefined {
  if (composition.has(file) || /^src\/(cli|demo)\//.test(file)) return 'composition'
  if (file === 'src/config.ts' || /^src\/(settings|migrations)\//.test(file)) return undefined
  if (file.startsWith('workers/')) return 'workers'
  const folder = file.split('/')[1]!

  return isLayer(folder) ? folder : 'domain'
}

/** What reads requests and writes responses: routes, their schemas, pages, and protocols other than the REST API. */
function isEdge(file: string) {
  return (
    /[/-](routes?|schemas|endpoint|pages)\.ts$|^src\/extras\/[a-z-]+\/pages\//.test(file) || protocols.some(path => file.startsWith(path))
  )
}

function isLayer(folder: string): folder is 'lib' | 'platform' | 'api' | 'intake' | 'pages' | 'dashboard' | 'extras' {
  return /^(lib|platform|api|intake|pages|dashboard|extras)$/.test(folder)
}

function domainOf(file: string) {
  return file.startsWith('src/') ? file.split('/')[1]! : ''
}

function importsOf(file: string) {
  return [...read(file).matchAll(/(?:from |import\()'([.#][^']+)'/g)].map(([, path]) =>
    path!.startsWith('#') ? join('src', path!.slice(1)) : join(dirname(file), path!)
  )
}

function importsWhere(isWrong: (file: string, imported: string) => boolean) {
  return files.flatMap(file => {
    const wrong = importsOf(file).filter(imported => isWrong(file, imported))

    return wrong.map(imported => `${file} imports ${imported}`)
  })
}

function filesWith(pattern: RegExp, among = files) {
  return among.filter(file => pattern.test(read(file)))
}

/** Tarjan's strongly connected components of more than one file. */
function cyclesIn(imports: Map<string, string[]>) {
  const indices = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  for (const file of imports.keys()) if (!indices.has(file)) connect(file)

  return cycles

  function connect(file: string) {
    indices.set(file, indices.size)
    lowest.set(file, indices.get(file)!)
    stack.push(file)
    for (const imported of imports.get(file)!) {
      if (!imports.has(imported)) continue
      if (!indices.has(imported)) connect(imported)
      if (stack.includes(imported)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(imported)!))
    }
    if (lowest.get(file) !== indices.get(file)) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1) cycles.push(component.sort())
  }
}

/** Lines of `t.match` whose pattern compares strings by substring, and holds nothing that only `t.match` can compare. */
function looseMatchesIn(file: string) {
  if (!read(file).includes('t.match(')) return []
  const calls = [...nodesIn(syntaxOf(file))].filter(isTapMatch)

  return calls.filter(({ arguments: [, pattern] }) => isLoose(pattern as Expression)).map(({ loc }) => loc!.start.line)
}

function isTapMatch(node: AnyNode): node is CallExpression {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { object, property } = node.callee

  return object.type === 'Identifier' && object.name === 't' && property.type === 'Identifier' && property.name === 'match'
}

function isLoose(pattern: Expression) {
  if (pattern.type !== 'ObjectExpression' && pattern.type !== 'ArrayExpression') return false
  const nodes = [...nodesIn(pattern)]
  const isPlain = !nodes.some(node => (node.type === 'Literal' && node.regex) || (node.type === 'Identifier' && /^[A-Z]/.test(node.name)))

  return isPlain || nodes.some(isStateOrId)
}

function isStateOrId(node: AnyNode) {
  if (node.type !== 'Property' || node.key.type !== 'Identifier') return false

  return (
    /^(status|state|role|level|severity|kind|id|iid|type|username|code)$/.test(node.key.name) &&
    node.value.type === 'Literal' &&
    typeof node.value.value === 'string'
  )
}
