/** Where people look at an alert. */
export function alertUrl(baseUrl: string, projectPath: string, iid: number) {
  return `${baseUrl}/${projectPath}/-/alert_management/${iid}/details`
}
