import type { TreeEntry } from '#repositories/objects/tree-entry.ts'

/** The files beside a configuration: those of one commit. */
export interface ConfigFiles {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
  /** All files. */
  list(): Promise<TreeEntry[]>
  /** Those of these paths that exist. */
  find(paths: string[]): Promise<TreeEntry[]>
}

/** A configuration without a repository. */
export const noFiles: ConfigFiles = {
  read: async () => undefined,
  list: async () => [],
  find: async () => []
}
