import { commitPage } from './commit.ts'
import { commitsPage } from './commits.ts'
import { directoryPage } from './directory.ts'
import { filePage } from './file.ts'

/** The code of a project. */
export const codePages = [directoryPage, filePage, commitsPage, commitPage]
