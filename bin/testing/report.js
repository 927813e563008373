import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../install.js'

const results = join(root, '.tap', 'test-results')

/** tap writes the results of every test process into a file of its own. */
export function clearResults(groups) {
  for (const path of groups.keys()) rmSync(join(results, `${path}.tap`), { force: true })
}

/**
 * Counts the tests and lists the failures, with the test files that may have caused each. `output` is that of tap's
 * terse reporter: only it names a process that timed out, crashed, or exited with an error after its tests.
 */
export function summarize(groups, output, dir = results) {
  const failedProcesses = [...stripVTControlCharacters(output).matchAll(/^ *FAIL +(\S+)/gm)].map(([, path]) => path)
  const summary = { passed: 0, skipped: 0, failures: [] }

  for (const [path, files] of groups) {
    const file = join(dir, `${path}.tap`)
    const { passed, skipped, failures } = parseResult(existsSync(file) ? readFileSync(file, 'utf8') : '', files)
    const isUnexplained = failures.length === 0 && (failedProcesses.includes(path) || passed + skipped === 0)

    summary.passed += passed
    summary.skipped += skipped
    summary.failures.push(...failures)
    if (isUnexplained) summary.failures.push({ files, reason: 'ended with an error outside of its tests, or without any (see above)' })
  }

  return summary
}

function parseResult(text, files) {
  const tests = [...text.matchAll(/^(not )?ok \d+ -? ?(.*?)(?: # time=.*)?$/gm)]
  const failures = tests.flatMap(({ 1: isFailed, 2: name, index }, n) => {
    if (!isFailed) return []
    const subtests = text.slice(tests[n - 1]?.index ?? 0, index)
    const thrownIn = /^ {4}fileName: (\S+)/m.exec(text.slice(index, tests[n + 1]?.index))?.[1]
    const hasTimedOut = /^ *not ok \d+ - timeout!/m.test(subtests)

    return {
      files: files.includes(thrownIn) ? [thrownIn] : files,
      reason: name === 'timeout!' ? 'timed out' : `${name}${hasTimedOut ? ' (timed out)' : ''}`
    }
  })
  const skipped = tests.filter(([line, isFailed]) => !isFailed && /# SKIP/i.test(line)).length

  return { passed: tests.length - failures.length - skipped, skipped, failures }
}
