/** `tls` from the start, `starttls` always, or `none`. */
export const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

export interface SmtpServer {
  host: string
  port: number
  security: MailSecurity
  username: string
  password: string
}

const query = { starttls: '?requireTLS=true', tls: '', none: '?ignoreTLS=true' }

/** The server as `SMTP_URL` would have it. */
export function smtpUrl({ host, port, security, username, password }: SmtpServer) {
  const credentials = username ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@` : ''

  return `${security === 'tls' ? 'smtps' : 'smtp'}://${credentials}${host}:${port}/${query[security]}`
}
