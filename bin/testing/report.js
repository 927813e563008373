/** Counts the tests and lists the failures. `output` is what tap prints about the processes: only it tells that one crashed. */
export function summarize(results, output) {
  const failed = results.filter(({ state }) => state === 'failed')

  return {
    passed: results.filter(({ state }) => state === 'passed').length,
    skipped: results.filter(({ state }) => state === 'skipped').length,
    failures: [...failed.map(({ file, name }) => `${file}: ${name}`), ...listCrashes(results, output)]
  }
}

/** Processes that failed though none of their tests did: killed, timed out, or ended by an error outside of the tests. */
function listCrashes(results, output) {
  const processes = output.matchAll(/^not ok \d+ - (\S+\.test\.ts)(?: #.*)?\n( {2}---\n[\s\S]*?^ {2}\.\.\.)?/gm)

  return [...processes]
    .filter(([, group]) => !results.some(result => result.group === group && result.state === 'failed'))
    .map(([, group, yaml = '']) => {
      const last = results.findLast(result => result.group === group)
      const reason = [...yaml.matchAll(/^ {2}((?:exitCode|signal|failReason|tapError): (?!null).*)/gm)].map(([, reason]) => reason)

      return `${group} after ${last ? `${last.file}: ${last.name}` : 'its start'} (${reason.join(', ') || 'no tests'})`
    })
}

/** What takes longest, in lines. */
export function listSlowest(results, count = 10) {
  const files = new Map()

  for (const { file, ms } of results) files.set(file, (files.get(file) ?? 0) + ms)
  const lines = entries =>
    entries
      .sort(([, one], [, other]) => other - one)
      .slice(0, count)
      .map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)

  return ['Slowest tests:', ...lines(results.map(({ file, name, ms }) => [`${file}: ${name}`, ms])), 'Slowest files:', ...lines([...files])]
}
