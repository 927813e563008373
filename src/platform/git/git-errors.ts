/** A git command failed; the message is the first line of what it wrote. */
export class GitFailed extends Error {
  override name = 'GitFailed'
  code = 'git_failed'
  exitCode: number

  constructor(args: string[], exitCode: number, stderr: string) {
    super(`git ${commandOf(args)}: ${stderr.trim().split('\n')[0]?.slice(0, 300) || `exit code ${exitCode}`}`)
    this.exitCode = exitCode
  }
}

export class GitTimedOut extends Error {
  override name = 'GitTimedOut'
  code = 'git_timed_out'

  constructor(args: string[], timeoutMs: number) {
    super(`git ${commandOf(args)} took more than ${timeoutMs / 1000} seconds`)
  }
}

export class GitOutputTooLarge extends Error {
  override name = 'GitOutputTooLarge'
  code = 'git_output_too_large'

  constructor(args: string[], maxBytes: number) {
    super(`git ${commandOf(args)} wrote more than ${maxBytes} bytes`)
  }
}

/** After the options `-c name=value`. */
function commandOf(args: string[]) {
  return args.find((word, n) => word !== '-c' && args[n - 1] !== '-c')
}
