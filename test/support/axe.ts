import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const run = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`

interface Result {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Violations of WCAG A and AA on the page as it is shown now, each with its first element. */
export async function accessibilityProblems(page: Page) {
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axe)
  const { violations } = (await page.evaluate(run)) as Result

  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary ?? ''}`)
}
