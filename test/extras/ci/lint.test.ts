import { Gitlab } from '@gitbeaker/rest'
import { load } from 'js-yaml'
import t from 'tap'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { rootToken } from '../../support/world.ts'
import { openLinter } from './linter.ts'

t.test('a configuration is checked with its includes, extends, anchors and references', async t => {
  const { commit, lint } = await openLinter(t)

  await commit({
    '.gitlab-ci.yml': [
      'include: [ci/*.yml, {local: /more.yml, rules: [{if: $NEVER}]}]',
      'stages: [build, test]',
      'default: {image: node, before_script: [prepare]}',
      'variables: {LEVEL: 1}',
      '.base: &base {tags: [linux], variables: {A: a}}',
      'compile: {extends: .base, stage: build, script: make}',
      'unit:',
      '  <<: *base',
      '  script: [!reference [.commands, script], test]',
      '  needs: [compile]'
    ].join('\n'),
    'ci/commands.yml': '.commands: {script: [one, [two]]}\nlate: {stage: .post, script: bye, when: always, inherit: {default: false}}',
    'ci/deep/other.yml': 'broken: ['
  })
  const { status, body } = await lint('?include_jobs=true')

  t.equal(status, 200)
  t.hasStrict(body, { valid: true, errors: [], warnings: [] })
  t.same(
    body.includes.map(({ type, location }: { type: string; location: string }) => [type, location]),
    [['local', 'ci/commands.yml']]
  )
  hasExactly(t, load(body.merged_yaml), {
    '.commands': { script: ['one', ['two']] },
    late: { stage: '.post', script: 'bye', when: 'always', inherit: { default: false } },
    stages: ['build', 'test'],
    default: { image: 'node', before_script: ['prepare'] },
    variables: { LEVEL: 1 },
    '.base': { tags: ['linux'], variables: { A: 'a' } },
    compile: { tags: ['linux'], variables: { A: 'a' }, stage: 'build', script: 'make' },
    unit: { tags: ['linux'], variables: { A: 'a' }, script: [['one', ['two']], 'test'], needs: ['compile'] }
  })
  hasExactly(
    t,
    body.jobs.map(({ name, stage, before_script, script, tag_list, when, needs }: Record<string, unknown>) => [
      name,
      stage,
      before_script,
      script,
      tag_list,
      when,
      needs
    ]),
    [
      ['late', '.post', [], ['bye'], [], 'always', null],
      ['compile', 'build', ['prepare'], ['make'], ['linux'], 'on_success', null],
      ['unit', 'test', ['prepare'], ['one', 'two', 'test'], ['linux'], 'on_success', ['compile']]
    ]
  )
})

t.test('the file is read at a branch or a commit, and ref with sha is refused', async t => {
  const { commit, lint } = await openLinter(t)
  const { id: first } = await commit({ '.gitlab-ci.yml': 'a: {}' })

  await commit({ '.gitlab-ci.yml': 'a: {script: x}' })
  t.equal((await lint('')).body.valid, true)
  t.equal((await lint(`?sha=${first}`)).body.valid, false)
  t.equal((await lint(`?content_ref=${first}`)).body.valid, false)
  t.equal((await lint(`?ref=${first}`)).body.valid, false)
  t.hasStrict(await lint(`?ref=main&sha=${first}`), { status: 400, body: { error: 'ref, sha are mutually exclusive' } })
  t.hasStrict(await lint('?sha=nothing'), { status: 404, body: { message: '404 Commit Not Found' } })
})

t.test('a dry run compares the files of its own branch, wherever the configuration is', async t => {
  const { commit, lint, check } = await openLinter(t)
  const content = 'a: {script: x, rules: [{changes: {paths: [docs/*], compare_to: main}}]}\nb: {script: x}'
  const names = ({ body }: Awaited<ReturnType<typeof lint>>) => body.jobs.map(({ name }: { name: string }) => name)

  await commit({ '.gitlab-ci.yml': content })
  await commit({ 'docs/x.md': '' }, { branch: 'feature', start_branch: 'main' })
  t.same(names(await lint('?dry_run=true&dry_run_ref=feature&content_ref=main&include_jobs=true')), ['a', 'b'])
  t.same(names(await lint('?dry_run=true&dry_run_ref=main&content_ref=feature&include_jobs=true')), ['b'])
  t.same(names(await check(content, { dry_run: true, dry_run_ref: 'feature', ref: 'nothing', include_jobs: true })), ['a', 'b'])
})

t.test('a file that is too large is an error of the configuration', async t => {
  const { commit, lint } = await openLinter(t)

  await commit({ '.gitlab-ci.yml': `# ${'x'.repeat(1_048_576)}` })
  t.hasStrict((await lint('')).body, { valid: false, errors: ['.gitlab-ci.yml: the file is larger than 1 MiB'] })
})

t.test('before 17.0, sha names the file and ref the branch of the dry run', async t => {
  const { commit, lint } = await openLinter(t, { SERVICE_VERSION: '16.11' })
  const { id } = await commit({ '.gitlab-ci.yml': 'a: {script: x, only: [other]}' })

  await commit({ '.gitlab-ci.yml': 'b: {script: x}' }, { branch: 'other', start_branch: 'main' })
  const { body } = await lint(`?ref=other&sha=${id}&dry_run=true&include_jobs=true`)
  t.same(
    body.jobs.map(({ name }: { name: string }) => name),
    ['a']
  )
})

t.test('a project without commits or without the file gets an answer that says so', async t => {
  const { commit, lint, check } = await openLinter(t)

  t.hasStrict(await lint(''), { status: 404, body: { message: '404 Commit Not Found' } })
  t.hasStrict((await check('a: {script: x}')).body, { valid: true, errors: [] })
  await commit({ 'README.md': '' })
  t.hasStrict((await lint('')).body, { valid: false, errors: ['Please provide content of .gitlab-ci.yml'] })
})

t.test('a dry run evaluates workflow, rules, only and except as a pipeline of the ref would', async t => {
  const { commit, check } = await openLinter(t)
  const content = [
    'workflow: {rules: [{if: $CI_COMMIT_BRANCH == "off", when: never}, {if: $CI_COMMIT_BRANCH, variables: {FROM: workflow}}]}',
    'by-branch: {script: x, rules: [{if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH}]}',
    'by-pattern: {script: x, rules: [{if: $CI_COMMIT_BRANCH =~ /^FEAT/i && $FROM == "workflow", when: manual, allow_failure: true}]}',
    'by-file: {script: x, rules: [{exists: ["src/**/*.ts"]}]}',
    'by-change: {script: x, rules: [{changes: {paths: [docs/*], compare_to: main}}]}',
    'only-main: {script: x, only: [main]}',
    'except-main: {script: x, except: [main]}',
    'only-tags: {script: x, only: [tags]}',
    'twice: {script: x, parallel: 2, only: [/^feat/]}',
    'each: {script: x, parallel: {matrix: [{OS: [a, b], V: 1}]}, only: {refs: [main], variables: [$FROM]}}'
  ].join('\n')

  await commit({ 'src/deep/a.ts': '' })
  await commit({ 'docs/x.md': '' }, { branch: 'feature', start_branch: 'main' })
  await commit({ 'off.txt': '' }, { branch: 'off', start_branch: 'main' })
  const jobs = async (ref: string) => {
    const { body } = await check(content, { dry_run: true, ref, include_jobs: true })

    return body.valid ? body.jobs.map(({ name, when }: Record<string, string>) => `${name} ${when}`) : body.errors
  }

  t.same(await jobs('main'), [
    'by-branch on_success',
    'by-file on_success',
    'only-main on_success',
    'each: [a, 1] on_success',
    'each: [b, 1] on_success'
  ])
  t.same(await jobs('feature'), [
    'by-pattern manual',
    'by-file on_success',
    'by-change on_success',
    'except-main on_success',
    'twice 1/2 on_success',
    'twice 2/2 on_success'
  ])
  t.same(await jobs('off'), ['Pipeline filtered out by workflow rules.'])
  t.hasStrict(await check(content, { dry_run: true, ref: 'nothing' }), { status: 404, body: { message: '404 Reference Not Found' } })
  t.same((await check('a: {script: x, only: [nowhere]}', { dry_run: true, ref: 'main' })).body.errors, [
    'The resulting pipeline would have been empty. Review the `rules` configuration for the relevant jobs.'
  ])
})

t.test('each fault is named with its job and its keyword', async t => {
  const { check, commit } = await openLinter(t)
  const faults: [string, string][] = [
    ['- a', 'Invalid configuration format'],
    ['a: b: c', '.gitlab-ci.yml: (line 1, column 5): bad indentation of a mapping entry'],
    ['a: b', 'jobs:a config should be a hash'],
    [
      'spec: {inputs: {x: {}}}\n---\na: {script: x}',
      '.gitlab-ci.yml: several YAML documents are not supported, and neither is a header with spec:inputs'
    ],
    ['spec: {inputs: {x: {}}}\na: {script: x}', 'spec is not supported: inputs do not exist, use variables instead'],
    ['.a: {script: x}', 'jobs config should contain at least one visible job'],
    ['a: {stage: test}', 'jobs a config should implement the script:, run:, or trigger: keyword'],
    ['a: {script: []}', "jobs:a:script config can't be blank"],
    ['a: {script: {b: c}}', 'jobs:a:script config should be a string or a nested array of strings up to 10 levels deep'],
    ['a: {script: x, color: red}', 'jobs:a config contains unknown keys: color'],
    ['a: {script: x, stage: nope}', 'a job: chosen stage nope does not exist; available stages are .pre, build, test, deploy, .post'],
    ['a: {script: x, needs: [b]}', 'a job: undefined need: b'],
    ['a: {script: x, needs: [b]}\nb: {stage: deploy, script: x}', 'a job: need b is not defined in current or prior stages'],
    ['a: {script: x, needs: [b]}\nb: {script: x, needs: [a]}', 'The pipeline has circular dependencies in needs'],
    ['a: {script: x, dependencies: [b]}', 'a job: undefined dependency: b'],
    ['a: {script: x, needs: ["b: [z]"]}\nb: {script: x, parallel: {matrix: [{A: [y]}]}}', 'a job: undefined need: b: [z]'],
    ['a: {script: x, dependencies: [b 3/2]}\nb: {script: x, parallel: 2}', 'a job: undefined dependency: b 3/2'],
    ['a: {script: x, needs: [b 1/2], dependencies: [b]}\nb: {script: x, parallel: 2}', 'a job: dependency b should be part of needs'],
    ['a: {script: x, parallel: 2, needs: [a 1/2]}', 'The pipeline has circular dependencies in needs'],
    [
      'a: {script: x, needs: [{job: b, parallel: {matrix: [{A: z}]}}]}\nb: {script: x, parallel: {matrix: [{A: y}]}}',
      'a job: undefined need: b: [z]'
    ],
    ['a: {script: x, needs: [{job: b, parallel: 2}]}\nb: {script: x, parallel: 2}', 'jobs:a:needs:parallel config should be a hash'],
    [
      `a: {script: x, needs: [c, {job: b, parallel: {matrix: [{A: [${[...Array(200).keys()]}]}]}}]}`,
      'jobs:a:needs config names more than 200 jobs'
    ],
    [
      `a: {script: x, parallel: {matrix: [{A: [${[...Array(21).keys()]}], B: [1,2,3,4,5,6,7,8,9,10]}]}}`,
      'jobs:a:parallel:matrix config makes more than 200 jobs'
    ],
    ['a: {script: x, when: sometimes}', 'jobs:a:when config should be one of: on_success, on_failure, always, manual, delayed, never'],
    ['a: {script: x, when: delayed}', 'jobs:a start in should be a duration, because the job is delayed'],
    [
      'a: {script: x, rules: [{when: delayed, start_in: 1 minute}, {when: delayed}]}',
      'jobs:a:rules[2] start in should be a duration, because the job is delayed'
    ],
    ['a: {script: x, timeout: 3 horses}', 'jobs:a:timeout config should be a duration, such as 30 minutes'],
    ['a: {script: x, parallel: 201}', 'jobs:a:parallel config should be a whole number between 1 and 200'],
    ['a: {script: x, retry: 3}', 'jobs:a:retry config should be a whole number between 0 and 2'],
    ['a: {script: x, artifacts: {path: b}}', 'jobs:a:artifacts config contains unknown keys: path'],
    ['a: {script: x, artifacts: {reports: {unit: b}}}', 'jobs:a:artifacts:reports config contains unknown keys: unit'],
    ['a: {script: x, rules: [{if: "$A ="}]}', 'jobs:a:rules[1]:if invalid expression syntax'],
    ['a: {script: x, rules: [{if: "$A =~ /(/"}]}', 'jobs:a:rules[1]:if invalid expression syntax'],
    ['a: {script: x, rules: [{when: never}], only: [main]}', 'jobs:a config key may not be used with `rules`: only'],
    ['a: {script: x, variables: {B: [c]}}', 'jobs:a:variables:B config should be a string, a number or a boolean'],
    ['a: {script: x, extends: b}', 'a: unknown keys in `extends` (b)'],
    ['a: {script: x, extends: b}\nb: {extends: a}', 'a: circular dependency detected in `extends`'],
    ['a: {script: !reference [b, c]}', '!reference ["b", "c"] could not be found'],
    ['a: {script: !reference [a, script]}', '!reference ["a", "script"] is part of a circular chain'],
    ['stages: 1\na: {script: x}', 'stages config should be an array of strings or a string'],
    [`workflow: {name: ${'x'.repeat(256)}}\na: {script: x}`, 'workflow:name config should be a string of 1 to 255 characters'],
    ['workflow: {rules: [{when: manual}]}\na: {script: x}', 'workflow:rules[1]:when config should be one of: always, never'],
    ['include: no.yml\na: {script: x}', 'Local file `no.yml` does not exist!'],
    ['include: empty.yml\na: {script: x}', 'Local file `empty.yml` is empty!'],
    ['include: README.md\na: {script: x}', 'Included file `README.md` does not have YAML extension!'],
    ['include: self.yml\na: {script: x}', 'Local file `self.yml` includes itself'],
    ['include: broken.yml\na: {script: x}', 'broken.yml: (line 1, column 5): bad indentation of a mapping entry'],
    [
      'include: https://example.com/x.yml\na: {script: x}',
      'include:remote is not supported: only files of the same repository can be included (include:local)'
    ]
  ]

  await commit({ 'README.md': '', 'empty.yml': '', 'self.yml': 'include: self.yml', 'broken.yml': 'a: b: c' })
  for (const [content, message] of faults) {
    const { status, body } = await check(content)

    t.equal(status, 200, content)
    t.same([body.valid, body.errors], [false, [message]], content)
  }
})

t.test('a rule that always matches is a warning, unless the workflow has rules', async t => {
  const { check } = await openLinter(t)
  const job = 'a: {script: x, rules: [{if: $A}, {when: always}]}'

  t.match((await check(job)).body.warnings[0], /^jobs:a may allow multiple pipelines/)
  t.same((await check(`workflow: {rules: [{if: $A}]}\n${job}`)).body.warnings, [])
})

t.test('keywords that have no effect are warnings, and those that no pipeline can have are errors of a dry run', async t => {
  const { check, commit } = await openLinter(t)
  await commit({ 'README.md': '' })
  const content =
    'a: {trigger: other}\nb: {run: [{name: x, script: y}], when: never}\nc: {script: x, secrets: {A: {}}, id_tokens: {B: {aud: x}}}'
  const unsupported = (key: string) => `jobs:${key} is not supported: no pipeline with this job can be made`

  t.hasStrict((await check(content)).body, { valid: true })
  t.same((await check(content)).body.warnings, [
    unsupported('a:trigger'),
    unsupported('b:run'),
    'jobs:c:id_tokens is not supported and has no effect',
    'jobs:c:secrets is not supported and has no effect'
  ])
  t.hasStrict((await check(content, { dry_run: true, ref: 'main' })).body, { valid: false, errors: [unsupported('a:trigger')] })
})

t.test('a client made for GitLab checks configurations unchanged', async t => {
  const { app, config, project, commit } = await openLinter(t)
  const host = await listen(app)

  config.baseUrl = host
  await commit({ '.gitlab-ci.yml': 'a: {script: x}' })
  const { Lint } = new Gitlab({ host, token: rootToken })

  t.hasStrict(await Lint.check(project.id, { includeJobs: true, dryRun: true }), { valid: true, jobs: [{ name: 'a' }] })
  t.hasStrict(await Lint.lint(project.id, 'a: {}'), { valid: false, warnings: [] })
})

t.test("keys may be symbols of Ruby, as in GitLab's own examples", async t => {
  const { check } = await openLinter(t)

  t.hasStrict((await check(':test_job:\n  :script: echo ":x"\n')).body, { valid: true, errors: [] })
  t.hasStrict((await check(':test_job:\n  :colour: red\n')).body, { valid: false })
  t.match((await check('a:\n  :script: ":"\n')).body.merged_yaml, /script: ['"]:['"]/)
})
