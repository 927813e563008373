import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../install.js'

const results = join(root, '.tap', 'test-results')

/** tap writes the results of every test process into a file of its own. */
export function clearResults(groups) {
  for (const path of groups.keys()) rmSync(join(results, `${path}.tap`), { force: true })
}

/**
 * Counts the tests and lists the failures, by the test files that each process ran. `output` is that of tap's
 * terse reporter: only it names a process that timed out, crashed, or exited with an error after its tests.
 */
export function summarize(groups, output, dir = results) {
  const failedProcesses = [...stripVTControlCharacters(output).matchAll(/^ *FAIL +(\S+)/gm)].map(([, path]) => path)
  const summary = { passed: 0, skipped: 0, failures: [] }

  for (const [path, files] of groups) {
    const { passed, skipped, failures } = readResult(join(dir, `${path}.tap`), files)
    const isUnexplained = failures.length === 0 && (failedProcesses.includes(path) || passed + skipped === 0)

    summary.passed += passed
    summary.skipped += skipped
    summary.failures.push(...failures)
    if (isUnexplained) summary.failures.push(`${files.join(', ')}: ended with an error outside of its tests, or without any (see above)`)
  }

  return summary
}

function readResult(path, files) {
  const text = read(path)
  const tests = [...text.matchAll(/^(not )?ok \d.*$/gm)]
  const failures = tests.flatMap(([line, isFailed], n) => {
    const subtests = text.slice(tests[n - 1]?.index ?? 0, tests[n].index)
    const diagnostics = text.slice(tests[n].index, tests[n + 1]?.index)

    return isFailed ? [describe(line, subtests, diagnostics, files)] : []
  })
  const skipped = tests.filter(([line, isFailed]) => !isFailed && /# SKIP/i.test(line)).length

  return { passed: tests.length - failures.length - skipped, skipped, failures }
}

function describe(line, subtests, diagnostics, files) {
  const name = line.replace(/^not ok \d+ -? ?/, '').replace(/ # time=.*/, '')
  const thrownIn = /^ {4}fileName: (\S+)/m.exec(diagnostics)?.[1]
  const file = files.includes(thrownIn) ? thrownIn : files.join(', ')
  const isTimeout = /^ *not ok \d+ - timeout!/m.test(subtests)

  if (name === 'timeout!') return `${file}: timed out`

  return `${file}: ${name}${isTimeout ? ' (timed out)' : ''}`
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
