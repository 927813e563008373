/** Where people look at an alert. */
export function alertUrl(baseUrl: string, projectId: number, iid: number) {
  return `${baseUrl}/projects/${projectId}/alerts/${iid}`
}
