/** What `tocsin` can do: help, docs/commands.md and the checks of arguments are made of this. */
export const commands = {
  start: {
    usage: '[type=count …]',
    summary: 'Start the system.',
    details:
      'Runs one process of each type, or as many as given, with an embedded Postgres when DATABASE_URL is not set. ' +
      'Ctrl-C stops everything in order. This is the command without a name, too.',
    example: 'tocsin start worker=3'
  },
  demo: {
    usage: '[--dir FOLDER] [--port PORT]',
    summary: 'Start a filled shop with live events, apart from your data.',
    details:
      'Three projects with four weeks of errors, alerts and incidents; new events arrive until Ctrl-C. ' +
      'Everything is stored in the folder, and the next demo continues with it. Delete the folder to start anew.',
    options: {
      dir: { type: 'string', value: 'FOLDER', help: 'where to store it (tocsin-demo)' },
      port: { type: 'string', value: 'PORT', help: 'the port to listen on (PORT, or 3000)' }
    },
    example: 'tocsin demo --port 3100'
  },
  status: {
    summary: 'Show processes, queues, failed jobs, the size of the database and the version.',
    details: 'Ends with 1 when the system does not run.',
    example: 'tocsin status --json'
  },
  doctor: {
    summary: 'Check the installation and say how to fix what is wrong.',
    details: 'Checks settings, database, queue, disk, clock, mail, proxy headers and permissions. Ends with 1 when there is a problem.',
    example: 'tocsin doctor'
  },
  'user list': { summary: 'List the users.', example: 'tocsin user list --json' },
  'user create': {
    usage: 'USERNAME EMAIL [--name NAME] [--admin]',
    arguments: [2, 2],
    summary: 'Create a user with a one-time password, which is shown once.',
    options: {
      name: { type: 'string', value: 'NAME', help: 'the full name (the username)' },
      admin: { type: 'boolean', help: 'make the user an admin' }
    },
    example: "tocsin user create ada ada@example.com --name 'Ada Lovelace'"
  },
  'user reset-password': {
    usage: '[USERNAME] [--token]',
    arguments: [0, 1],
    summary: 'Set a new one-time password, which is shown once.',
    details: 'Ends the sessions of the user. Without a username, it is that of the first admin.',
    options: { token: { type: 'boolean', help: 'also create an access token with the scopes api and, for admins, sudo' } },
    example: 'tocsin user reset-password ada'
  },
  'user block': {
    usage: 'USERNAME',
    arguments: [1, 1],
    summary: 'Block a user: sessions end, and access tokens are refused.',
    example: 'tocsin user block ada'
  },
  'user unblock': { usage: 'USERNAME', arguments: [1, 1], summary: 'Unblock a user.', example: 'tocsin user unblock ada' },
  'token list': {
    usage: '[USERNAME]',
    arguments: [0, 1],
    summary: 'List the active access tokens of a user, or of all.',
    example: 'tocsin token list ada'
  },
  'token create': {
    usage: 'USERNAME [--name NAME] [--scopes SCOPES] [--expires DAY]',
    arguments: [1, 1],
    summary: 'Create a personal access token, which is shown once.',
    options: {
      name: { type: 'string', value: 'NAME', help: 'what it is for (command line)' },
      scopes: { type: 'string', value: 'SCOPES', help: 'separated by commas (read_api)' },
      expires: { type: 'string', value: 'DAY', help: 'the day on which it expires (in a year)' }
    },
    example: 'tocsin token create ada --scopes api --expires 2027-06-30'
  },
  'token revoke': { usage: 'ID', arguments: [1, 1], summary: 'Revoke an access token.', example: 'tocsin token revoke 7' },
  backup: {
    usage: 'FILE',
    arguments: [1, 1],
    summary: 'Write the database, uploaded files, repositories and secret.key to FILE (.tar.gz).',
    details: 'The system may be running.',
    example: 'tocsin backup tocsin.tar.gz'
  },
  restore: {
    usage: 'FILE',
    arguments: [1, 1],
    summary: 'Load FILE into an empty installation of the same or a newer release.',
    details: 'The system must be stopped.',
    example: 'DATA_DIR=restored tocsin restore tocsin.tar.gz'
  },
  web: {
    summary: 'Run a web process. Needs a database and, on several machines, REDIS_URL.',
    example: 'tocsin web --help'
  },
  worker: {
    usage: '[queue …]',
    summary: 'Run a process that works on the named queues, or on all.',
    example: 'tocsin worker errors alerts'
  }
}

/** The ones that have options of their own, and no `--json`. */
export const programs = ['start', 'demo', 'web', 'worker']

export const shared = {
  json: { type: 'boolean', help: 'print one JSON document; progress goes to stderr' },
  help: { type: 'boolean', short: 'h', help: 'show this help' }
}

export function optionsOf(name) {
  const { json, help } = shared

  return { ...commands[name].options, ...(programs.includes(name) ? {} : { json }), help }
}

export function usageOf(name) {
  return ['tocsin', name, commands[name].usage, ...(programs.includes(name) ? [] : ['[--json]'])].filter(Boolean).join(' ')
}

export function helpOf(name) {
  const { summary, details, example } = commands[name]
  const options = Object.entries(optionsOf(name)).map(
    ([option, { value, help }]) => `  ${`--${option}${value ? ` ${value}` : ''}`.padEnd(18)} ${help}`
  )
  const text = [summary, details].filter(Boolean).join('\n')

  return `Usage: ${usageOf(name)}\n\n${text}\n\n${options.join('\n')}\n\nExample: ${example}\n`
}

/** All commands, or those of a noun such as `user`. */
export function listCommands(noun) {
  const names = Object.keys(commands).filter(name => !noun || name.startsWith(`${noun} `))
  const lines = names.map(name => `  ${name.padEnd(20)} ${commands[name].summary}`)

  return `Usage: tocsin ${noun ?? ''}${noun ? ' ' : ''}COMMAND [options]\n\n${lines.join('\n')}\n
Without a command, tocsin starts the system. \`tocsin COMMAND --help\` explains one; --version prints the release.
Settings are environment variables; \`tocsin start --help\` lists them.
`
}

/** docs/commands.md */
export function describeCommands() {
  const sections = Object.entries(commands).map(([name, { summary, details, example }]) => {
    const options = Object.entries(optionsOf(name)).filter(([option]) => !(option in shared))
    const list = options.map(([option, { value, help }]) => `- \`--${option}${value ? ` ${value}` : ''}\`: ${help}\n`).join('')
    const text = [summary, details].filter(Boolean).join(' ')

    return `## ${name}\n\n${text}\n\n\`\`\`sh\n${usageOf(name)}\n\`\`\`\n\n${list && `${list}\n`}Example: \`${example}\`\n`
  })

  return `${introduction}\n${sections.join('\n')}`
}

const introduction = `# Commands

<!-- written by \`npm run fix\` from bin/commands.js -->

In a clone or where the package is installed, run \`npx tocsin COMMAND\`. Commands use the settings of the environment, as \`npx tocsin\` does: without
\`DATABASE_URL\`, that is the installation in \`DATA_DIR\`. A stopped database is started for the command, except for \`status\`.

- \`--help\` explains a command, \`--version\` prints the release.
- \`--json\` prints one JSON document to stdout. Progress and messages go to stderr. On failure, the document is \`{"error": "…"}\`.
- The exit code is 0, or 1 on failure.
- Changes are audited as those of “Command line”.
`
