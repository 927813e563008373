/** The language of a file, by the end of its name. */
const byEnding: Record<string, string> = {
  ...of('bash', 'sh', 'bash', 'zsh'),
  ...of('c', 'c', 'h'),
  ...of('cpp', 'cpp', 'cc', 'cxx', 'hpp', 'hh'),
  ...of('csharp', 'cs'),
  ...of('css', 'css'),
  ...of('diff', 'diff', 'patch'),
  ...of('dockerfile', 'dockerfile'),
  ...of('go', 'go'),
  ...of('graphql', 'graphql', 'gql'),
  ...of('ini', 'ini', 'toml', 'cfg', 'properties', 'editorconfig'),
  ...of('java', 'java'),
  ...of('javascript', 'js', 'mjs', 'cjs', 'jsx'),
  ...of('json', 'json', 'webmanifest', 'map'),
  ...of('kotlin', 'kt', 'kts'),
  ...of('lua', 'lua'),
  ...of('makefile', 'mk', 'makefile'),
  ...of('markdown', 'md', 'markdown'),
  ...of('nginx', 'nginx'),
  ...of('php', 'php'),
  ...of('python', 'py', 'pyi'),
  ...of('ruby', 'rb', 'rake', 'gemspec', 'gemfile', 'rakefile'),
  ...of('rust', 'rs'),
  ...of('scss', 'scss'),
  ...of('sql', 'sql'),
  ...of('swift', 'swift'),
  ...of('typescript', 'ts', 'mts', 'cts', 'tsx'),
  ...of('xml', 'xml', 'html', 'htm', 'svg', 'vue', 'xhtml', 'plist'),
  ...of('yaml', 'yml', 'yaml')
}

function of(language: string, ...endings: string[]) {
  return Object.fromEntries(endings.map(ending => [ending, language]))
}

/** Undefined for files that are not highlighted. A name such as `Makefile` is its own ending. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.') + 1)

  if (name.startsWith('dockerfile.')) return 'dockerfile'

  return Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
}
