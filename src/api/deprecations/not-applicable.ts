const noMergeRequests = 'There are no merge requests.'
const noGraphql = 'GraphQL is not offered.'

export interface NotApplicable {
  what: string
  /** A GitLab version, or `v5` of the API. Undefined when the schedule has no date. */
  removedIn?: string
  /** Why it does not concern this API. */
  reason: string
}

/** Entries of GitLab's schedule about what this API does not have. */
export const notApplicable = {
  'geo-nodes': {
    what: 'The `geo_nodes` operations become `geo_sites`',
    removedIn: 'v5',
    reason: 'There are no secondary sites.'
  },
  'merged-by': { what: '`merged_by` of a merge request becomes `merge_user`', removedIn: 'v5', reason: noMergeRequests },
  'merge-status': { what: '`merge_status` of a merge request becomes `detailed_merge_status`', removedIn: 'v5', reason: noMergeRequests },
  'merge-request-changes': {
    what: 'The changes of a merge request become the list of its diffs',
    removedIn: 'v5',
    reason: noMergeRequests
  },
  'managed-licenses': { what: 'Managed licenses become license approval policies', removedIn: 'v5', reason: 'Licenses are not managed.' },
  'approval-approvers': {
    what: '`approvers` and `approval_groups` of a project’s approval configuration become project-level rules',
    removedIn: 'v5',
    reason: noMergeRequests
  },
  'ci-database': { what: 'CI needs a database of its own', removedIn: '18.0', reason: 'One database holds everything.' },
  'graphql-project-services': { what: 'GraphQL: the field `services` of `Project`', reason: noGraphql },
  'graphql-job-token-direction': {
    what: 'GraphQL: `direction` of `ciJobTokenScopeRemoveProject`, where `OUTBOUND` is invalid from 17.0',
    removedIn: '18.0',
    reason: noGraphql
  },
  'graphql-storage-increase': {
    what: 'GraphQL: `isTemporaryStorageIncreaseEnabled` and `temporaryStorageIncreaseEndsOn`',
    reason: noGraphql
  },
  'graphql-runner-fields': {
    what: 'GraphQL: `architectureName`, `ipAddress`, `platformName`, `revision` and `version` of `CiRunner`',
    reason: noGraphql
  },
  'graphql-upgrade-status': {
    what: 'GraphQL: the type `CiRunnerUpgradeStatusType` becomes `CiRunnerUpgradeStatus`',
    reason: noGraphql
  },
  'graphql-runner-projects': {
    what: 'GraphQL: the default order of `projects` of `CiRunner` becomes `id_desc`',
    removedIn: '17.0',
    reason: noGraphql
  }
} as const satisfies Record<string, NotApplicable>

export type NotApplicableName = keyof typeof notApplicable
