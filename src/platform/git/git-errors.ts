/** A git command failed; the message is the first line of what it wrote. */
export class GitFailed extends Error {
  override name = 'GitFailed'
  code = 'git_failed'
  exitCode: number

  constructor([command]: string[], exitCode: number, stderr: string) {
    super(`git ${command}: ${stderr.trim().split('\n')[0]?.slice(0, 300) || `exit code ${exitCode}`}`)
    this.exitCode = exitCode
  }
}

export class GitTimedOut extends Error {
  override name = 'GitTimedOut'
  code = 'git_timed_out'

  constructor([command]: string[], timeoutMs: number) {
    super(`git ${command} took more than ${timeoutMs / 1000} seconds`)
  }
}

export class GitOutputTooLarge extends Error {
  override name = 'GitOutputTooLarge'
  code = 'git_output_too_large'

  constructor([command]: string[], maxBytes: number) {
    super(`git ${command} wrote more than ${maxBytes} bytes`)
  }
}
