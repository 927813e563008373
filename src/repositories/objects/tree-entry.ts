export interface TreeEntry {
  mode: string
  type: string
  sha: string
  path: string
}

/** What `git ls-tree -z` prints. */
export function parseEntries(output: Uint8Array): TreeEntry[] {
  const lines = Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString().split('\0').slice(0, -1)

  return lines.map(line => {
    const at = line.indexOf('\t')
    const [mode = '', type = '', sha = ''] = line.slice(0, at).split(' ')

    return { mode, type, sha, path: line.slice(at + 1) }
  })
}
