/** The files beside a configuration: those of one commit. */
export interface ConfigFiles {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
  /** The paths of all files. */
  list(): Promise<string[]>
}

/** A configuration without a repository. */
export const noFiles: ConfigFiles = {
  read: async () => undefined,
  list: async () => []
}
