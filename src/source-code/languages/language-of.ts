import { lookUp } from '../../lib/json.ts'

/** Programming languages by the endings of files; not what is prose or data, as in GitLab. */
const extensions = {
  Assembly: 'asm s',
  Astro: 'astro',
  C: 'c h',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx hh hpp hxx',
  CMake: 'cmake',
  CSS: 'css',
  Clojure: 'clj cljc cljs',
  CoffeeScript: 'coffee',
  Crystal: 'cr',
  Cuda: 'cu cuh',
  D: 'd',
  Dart: 'dart',
  Dockerfile: 'dockerfile',
  Elixir: 'ex exs',
  Elm: 'elm',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f90 f95',
  GLSL: 'frag glsl vert',
  Go: 'go',
  Groovy: 'gradle groovy',
  HCL: 'hcl tf tfvars',
  HTML: 'htm html xhtml',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'cjs js jsx mjs',
  Jinja: 'j2 jinja jinja2',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  Makefile: 'mak mk',
  Nim: 'nim',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  PHP: 'php phtml',
  PLpgSQL: 'pgsql',
  Perl: 'perl pl pm',
  PowerShell: 'ps1 psd1 psm1',
  Pug: 'pug',
  Python: 'py pyi pyw',
  R: 'r',
  Ruby: 'erb gemspec rake rb',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'sbt scala',
  Shell: 'bash fish ksh sh zsh',
  Solidity: 'sol',
  Starlark: 'bzl star',
  Svelte: 'svelte',
  Swift: 'swift',
  Tcl: 'tcl',
  TypeScript: 'cts mts ts tsx',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  Zig: 'zig'
}

const names: Record<string, string> = {
  'cmakelists.txt': 'CMake',
  containerfile: 'Dockerfile',
  dockerfile: 'Dockerfile',
  gemfile: 'Ruby',
  gnumakefile: 'Makefile',
  jenkinsfile: 'Groovy',
  makefile: 'Makefile',
  rakefile: 'Ruby'
}

const byExtension = new Map(
  Object.entries(extensions).flatMap(([language, endings]) => endings.split(' ').map(ending => [ending, language]))
)

/** Dependencies and generated files do not count. */
const vendored = /(?:^|\/)(?:node_modules|vendor|third_party|dist|\.git)\/|\.min\.(?:css|js)$/

/** The language that a file is written in, by its path; undefined when it is none. */
export function languageOf(path: string) {
  if (vendored.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()

  return lookUp(names, name) ?? byExtension.get(name.slice(name.lastIndexOf('.') + 1))
}
