const fence = /^ {0,3}(?:```|~~~)/
const task = /^[\s>]{0,100}(?:[-*+]|\d{1,9}[.)])\s{1,9}\[([ xX])\]\s/

/** The tasks of a text in Markdown, such as `- [x] done`, outside of blocks of code. */
export function countTasks(text: string) {
  const status = { count: 0, completed_count: 0 }
  let isCode = false

  if (!text.includes('[')) return status
  for (const line of text.split('\n')) {
    if (fence.test(line)) isCode = !isCode
    const [found, mark] = (!isCode && task.exec(line)) || []

    if (!found) continue
    status.count++
    if (mark !== ' ') status.completed_count++
  }

  return status
}
