import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { GitFailed, GitOutputTooLarge, GitTimedOut } from './git-errors.ts'
import { ProcessLimit } from './process-limit.ts'
import { type StorageSettings, Storages } from './storages.ts'

export interface GitSettings extends StorageSettings {
  /** Git processes of one kind that a process of ours runs at once. */
  processes: number
  /** The PATH in which git is found. */
  searchPath: string | undefined
}

export interface RunOptions {
  input?: Buffer | string
  /** Variables that begin with GIT_ or TOCSIN_. */
  env?: Record<string, string>
  maxBytes?: number
  timeoutMs?: number
  signal?: AbortSignal
}

const oldest = [2, 34] as const

/** Runs git on bare repositories, in an environment that nothing but these files decides. */
export class Git {
  storages: Storages
  /** Short commands and transfers wait for separate turns, so that long clones hold up no page. */
  commands: ProcessLimit
  transfers: ProcessLimit
  #searchPath: string

  constructor(settings: GitSettings) {
    this.storages = new Storages(settings)
    this.commands = new ProcessLimit(settings.processes)
    this.transfers = new ProcessLimit(settings.processes)
    this.#searchPath = settings.searchPath ?? '/usr/bin:/bin'
  }

  /** Runs a command to its end. Throws when it fails, takes too long or writes too much. */
  run(directory: string, args: string[], options: RunOptions = {}) {
    return this.commands.use(() => this.#execute(directory, args, options))
  }

  /** Makes an existing directory a bare repository. */
  async init(directory: string, branch = 'main') {
    await this.run(directory, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
  }

  /** The output as text, without the newline at its end. */
  async text(directory: string, args: string[], options?: RunOptions) {
    return (await this.run(directory, args, options)).toString().replace(/\n$/, '')
  }

  /** The caller has a turn of `transfers`, streams, and ends the process in time. It leads a group, which its children are in. */
  start(directory: string, args: string[], { env = {}, stdio }: { env?: Record<string, string>; stdio: StdioOptions }): ChildProcess {
    return spawn('git', [...safeOptions, ...args], { cwd: directory, env: this.#environment(directory, env), stdio, detached: true })
  }

  /** A sentence that says what to do when git is missing or too old. */
  async advice() {
    const version = await this.#version()

    if (!version) return ['git is not installed, so repositories do not work. Install git, then start Tocsin again.']
    const [major = 0, minor = 0] = version.split('.').map(Number)

    if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return []

    return [`git ${version} is too old, so repositories may not work. Install git ${oldest.join('.')} or newer.`]
  }

  #version() {
    return new Promise<string | undefined>(resolve =>
      execFile('git', ['--version'], { env: this.#environment('/', {}), timeout: 10_000 }, (error, stdout) =>
        resolve(error ? undefined : /^git version (\d+\.\d+)/.exec(stdout)?.[1])
      )
    )
  }

  #execute(directory: string, args: string[], { input, env = {}, maxBytes = 10_485_760, timeoutMs = 30_000, signal }: RunOptions) {
    return new Promise<Buffer>((resolve, reject) => {
      const options = {
        cwd: directory,
        env: this.#environment(directory, env),
        encoding: 'buffer' as const,
        maxBuffer: maxBytes,
        timeout: timeoutMs,
        killSignal: 'SIGKILL' as const,
        signal
      }
      const child = execFile('git', [...safeOptions, ...args], options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout)
        if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return reject(new GitOutputTooLarge(args, maxBytes))
        if (error.killed) return reject(new GitTimedOut(args, timeoutMs))
        if (typeof error.code !== 'number') return reject(error)
        reject(new GitFailed(args, error.code, stderr.toString()))
      })

      // A command may end before it has read its input.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  }

  /** No configuration, attributes, prompts or protocols of the machine. */
  #environment(directory: string, more: Record<string, string>) {
    return {
      PATH: this.#searchPath,
      HOME: '/nonexistent',
      LC_ALL: 'C',
      TZ: 'UTC',
      GIT_DIR: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_OPTIONAL_LOCKS: '0',
      ...more
    }
  }
}

const safeOptions = [
  // Repositories bring no hooks of their own.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['receive.autogc', 'false'],
  // Bounds memory: large files are streamed, and one process packs with one thread.
  ['core.bigFileThreshold', '8m'],
  ['pack.threads', '1'],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '64m']
].flatMap(([name, value]) => ['-c', `${name}=${value}`])
