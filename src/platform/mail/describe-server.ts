/** The mail server of an `SMTP_URL`, without its password. */
export function describeMailServer(smtpUrl: string) {
  const { protocol, hostname, port, username } = new URL(smtpUrl)
  const isEncrypted = protocol === 'smtps:'

  return {
    host: `${hostname}:${port || (isEncrypted ? 465 : 587)}`,
    encryption: isEncrypted ? 'TLS' : 'STARTTLS, if the server offers it',
    user: decodeURIComponent(username)
  }
}
