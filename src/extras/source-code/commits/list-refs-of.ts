import type { GitDirectory } from '#platform/git/git-directory.ts'

const prefixes = { branch: ['refs/heads/'], tag: ['refs/tags/'], all: ['refs/heads/', 'refs/tags/'] }

/** The branches and tags that contain a commit. */
export async function listRefsOf(repo: GitDirectory, sha: string, type: keyof typeof prefixes = 'all') {
  const output = await repo.text(['for-each-ref', `--contains=${sha}`, '--format=%(refname)', ...prefixes[type]])

  return output
    .split('\n')
    .filter(Boolean)
    .map(ref => ({ type: ref.startsWith('refs/tags/') ? 'tag' : 'branch', name: ref.replace(/^refs\/\w+\//, '') }))
}
