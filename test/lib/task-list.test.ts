import t from 'tap'
import { countTasks } from '#lib/task-list.ts'

t.test('tasks of a text are counted as GitLab does', async t => {
  for (const [text, count, completed] of [
    ['', 0, 0],
    ['no [ ] task', 0, 0],
    ['- [ ] a\n- [x] b\n* [X] c\n1. [ ] d\n  + [x] within', 5, 3],
    ['> 2) [x] quoted\r\n- [] none\n-[ ] none\n- [y] none\n- [ ]none', 1, 1],
    ['```\n- [ ] code\n```\n- [ ] a', 1, 0]
  ] as const) {
    t.same(countTasks(text), { count, completed_count: completed }, text)
  }
})

t.test('a long text is read in linear time', async t => {
  const at = performance.now()

  countTasks(`[${'- '.repeat(500_000)}\n`.repeat(2))
  countTasks('- [ ] \n'.repeat(200_000))
  // Otherwise it would take hours.
  t.ok(performance.now() - at < 20_000)
})
