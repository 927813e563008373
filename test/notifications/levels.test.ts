import t, { type Test } from 'tap'
import { notifyOfDueIssues } from '#extras/planning/notify-of-due-issues.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp } from '../support/world.ts'
import { aMember, aPersonWithMail } from './people.ts'

/** The ways to set what to hear about. Each has a project with people of its own. */
const ways = {
  d: 'disabled',
  p: 'participating',
  w: 'watch',
  m: 'mention',
  g: 'global, and nothing set globally: participating',
  f: 'custom with all flags',
  c: 'custom without flags',
  i: 'watch in the ancestor group, global in the group, disabled globally'
}
type Way = keyof typeof ways

/**
 * The ways in which people get mail about an event. From GitLab's documentation of notifications:
 * - Participants are author, assignees, commenters, and those whom the description or a comment mentions. They hear about
 *   everything, unless their level is `disabled` or `mention`.
 * - `mention` hears about a new issue or comment that mentions the person, and about being assigned or unassigned.
 * - `watch` and the flags of `custom` add what happens without the person; `watch` leaves out issues that are due.
 * - "Project moved" goes to all members, at "any level other than disabled", unless `custom` has no flag for it.
 * - What users do themselves is left out. Guests hear nothing about issues, and strangers nothing at all.
 */
const expected = `
                          | author | assignee | commenter | mentioned | member | guest  | stranger
  new issue               |        | pwgfci   | wfi       | pwmgfci   | wfi    |        |
  comment with mention    | pwgfci | pwgfci   | pwgfci    | pwmgfci   | wfi    |        |
  comment without mention | pwgfci | pwgfci   | pwgfci    | pwgfci    | wfi    |        |
  unassigned              | pwgfci | pwmgfci  | pwgfci    | pwgfci    | wfi    |        |
  assigned                | pwgfci | pwmgfci  | pwgfci    | pwgfci    | wfi    |        |
  due tomorrow            | pwgfci | pwgfci   | pwgfci    | pwgfci    | f      |        |
  issue closed            | pwgfci | pwgfci   | pwgfci    | pwgfci    | wfi    |        |
  issue reopened          | pwgfci | pwgfci   | pwgfci    | pwgfci    | wfi    |        |
  new incident            |        | pwgfci   | wfi       | pwmgfci   | wfi    |        |
  incident closed         | pwgfci | pwgfci   | wfi       | pwgfci    | wfi    |        |
  project moved           | pwmgfi | pwmgfi   | pwmgfi    | pwmgfi    | pwmgfi | pwmgfi |`
const [[, ...kinds], ...rows] = readTable(expected)

t.test('people get mail as their levels, their flags and their part in it say', async t => {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url } })
  const { call, platform } = world
  const top = await aGroup(world, 'top')
  const one = await aGroup(world, 'one', top)
  const other = await aGroup(world, 'other', top)
  const scenes = await Promise.all(Object.keys(ways).map(way => openScene(t, world, way as Way, { top, one })))
  const found: string[][] = []

  /** Does something in each project, and notes which kinds of people got mail about it, with their ways. */
  async function note(event: string, act: (scene: Scene) => Promise<unknown>) {
    smtp.letters.length = 0
    for (const scene of scenes) await act(scene)
    await isSettled(world)
    const countOf = (way: string, kind: string) => smtp.letters.filter(({ to }) => to[0] === `${way}-${kind}@example.com`).length

    found.push([event, ...kinds.map(kind => [...'dpwmgfci'].map(way => way.repeat(countOf(way, kind))).join(''))])
  }

  await world.work('deliveries')
  await note('new issue', openIssue('issue'))
  await note('', ({ path, people }) => people.commenter.call('POST', `${path}/issues/1/notes`, { body: 'I see.' }))
  found.pop()
  await note('comment with mention', ({ path, way }) => call('POST', `${path}/issues/1/notes`, { body: mentionIn(way) }))
  await note('comment without mention', ({ path }) => call('POST', `${path}/issues/1/notes`, { body: 'Nothing yet.' }))
  await note('unassigned', ({ path }) => call('PUT', `${path}/issues/1`, { assignee_ids: [] }))
  await note('assigned', ({ path, people }) => call('PUT', `${path}/issues/1`, { assignee_ids: [people.assignee.id] }))
  await note('due tomorrow', () => notifyOfDueIssues(platform.fork(), new Date('2030-01-06T09:00:00Z')))
  await note('issue closed', ({ path }) => call('PUT', `${path}/issues/1`, { state_event: 'close' }))
  await note('issue reopened', ({ path }) => call('PUT', `${path}/issues/1`, { state_event: 'reopen' }))
  await note('new incident', openIssue('incident'))
  await note('incident closed', ({ path }) => call('PUT', `${path}/issues/2`, { state_event: 'close' }))
  await note('project moved', ({ path }) => call('PUT', `${path}/transfer`, { namespace: other }))
  t.same(found, rows)
})

type World = Awaited<ReturnType<typeof openApp>>
type Scene = Awaited<ReturnType<typeof openScene>>
type Person = Awaited<ReturnType<typeof aMember>>

/** A project with one person of each kind, who all set the same. */
async function openScene(t: Test, world: World, way: Way, { top, one }: { top: number; one: number }) {
  const { body: project } = await world.call('POST', '/projects', { name: way, path: `project-${way}`, namespace_id: one })
  const path = `/projects/${project.id}`
  const people: Record<string, Person> = {}

  for (const kind of kinds) {
    const name = `${way}-${kind}`
    const person = await (kind === 'stranger' ? aPersonWithMail(world, name) : aMember(world, project.id, name, kind === 'guest' ? 10 : 30))

    people[kind] = person
    if (kind === 'stranger') await person.call('PUT', '/notification_settings', { level: 'watch' })
    else await set(person)
  }

  async function set({ call }: Person) {
    const settings: Record<Way, [place: string, setting: object][]> = {
      d: [[path, { level: 'disabled' }]],
      p: [[path, { level: 'participating' }]],
      w: [[path, { level: 'watch' }]],
      m: [[path, { level: 'mention' }]],
      g: [[path, { level: 'global' }]],
      f: [[path, { level: 'custom', ...allFlags(true) }]],
      c: [[path, { level: 'custom', ...allFlags(false) }]],
      i: [
        ['', { level: 'disabled' }],
        [`/groups/${top}`, { level: 'watch' }],
        [`/groups/${one}`, { level: 'global' }]
      ]
    }

    for (const [place, setting] of settings[way]) t.equal((await call('PUT', `${place}/notification_settings`, setting)).status, 200)
  }

  return { way, path, people: people as Record<'author' | 'assignee' | 'commenter', Person> }
}

function allFlags(isSet: boolean) {
  const flags = ['new_issue', 'close_issue', 'reopen_issue', 'reassign_issue', 'issue_due', 'new_note', 'moved_project']

  return Object.fromEntries(flags.map(flag => [flag, isSet]))
}

function openIssue(type: string) {
  return ({ way, path, people: { author, assignee } }: Scene) =>
    author.call('POST', `${path}/issues`, {
      issue_type: type,
      title: 'Slow',
      description: mentionIn(way),
      assignee_ids: [assignee.id],
      due_date: type === 'issue' ? '2030-01-07' : undefined
    })
}

function mentionIn(way: Way) {
  return `Please look, @${way}-mentioned, @${way}-guest and @${way}-stranger.`
}

async function aGroup({ call }: World, path: string, parent?: number): Promise<number> {
  return (await call('POST', '/groups', { name: path, path, parent_id: parent, visibility: 'public' })).body.id
}

async function isSettled({ platform }: World) {
  await eventually(async () => {
    const { rows } = await platform.pool.query(`
      SELECT FROM outbox WHERE dispatched_at IS NULL
      UNION ALL SELECT FROM notification_deliveries WHERE status IN ('pending', 'sending', 'retrying')`)

    return rows.length === 0
  }, 'all mail is sent')
}

function readTable(text: string) {
  const [heading, ...lines] = text.split('\n').filter(Boolean)
  const cellsOf = (line: string) => line.split('|').map(cell => cell.trim())

  return [cellsOf(heading!), ...lines.map(cellsOf)] as [string[], ...string[][]]
}
