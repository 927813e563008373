import { environment } from '../install.js'

const system = /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|TERM|NO_COLOR|CI)$/
const network = /^(npm_config_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy|all_proxy)$/i
/** Settings of the tests themselves. */
const tests = /^(EXTRAS|TEST_LOG|FUZZ_\w+|PAGES|PICTURES|SNAPSHOTS|MALLOC_ARENA_MAX)$/
/** Settings of the languages' runtimes and package managers. */
const languages = /^(GO\w+|PIP_\w+|UV_\w+|PYTHON\w+|CARGO_\w+|RUSTUP_\w+|JAVA_\w+|MAVEN_\w+|GEM_\w+|BUNDLE_\w+|COMPOSER_\w+|PHP_\w+)$/

/**
 * A process's memory is copied, page by page, for each program that it starts: git starts in 13 instead of 54 ms when glibc
 * keeps less and in larger pages. Other C libraries ignore this.
 */
const smallMemory = ['arena_max=2', 'trim_threshold=1000000', 'mmap_threshold=65536', 'hugetlb=1']

/** An allow-list: settings of a running Tocsin, of tracing or of SDKs in the shell must not reach the tests. */
export function testEnvironment(extra = {}) {
  return { GLIBC_TUNABLES: smallMemory.map(tunable => `glibc.malloc.${tunable}`).join(':'), ...allow([system, network, tests], extra) }
}

export function sdkEnvironment(extra = {}) {
  return allow([system, network, languages], extra)
}

function allow(patterns, extra) {
  const entries = Object.entries(environment()).filter(([name]) => patterns.some(pattern => pattern.test(name)))

  return { ...Object.fromEntries(entries), ...extra }
}
