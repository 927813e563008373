export interface UserReport {
  eventId: string
  name: string
  email: string
  comments: string
}

/** An envelope as SDKs send user feedback: the worker scrubs, counts and stores it. */
export function userReportEnvelope({ eventId, name, email, comments }: UserReport) {
  const report = { event_id: eventId, name, email, comments }

  return Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"user_report"}\n${JSON.stringify(report)}\n`)
}
