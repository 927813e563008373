import type { MailRefused } from './mailer.ts'

/** What to do about it, by the code of the socket, of TLS or of nodemailer. */
const meanings: [pattern: RegExp, meaning: string][] = [
  [/ECONNREFUSED/, 'The server refused the connection: nothing listens at this port.'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'There is no server with this host name.'],
  [/EHOSTUNREACH|ENETUNREACH/, 'The server cannot be reached from here.'],
  [/EAUTH/, 'The server refused the user name or the password.'],
  [/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|certificate/i, 'The server’s certificate is not trusted, or is one for another host name.'],
  [/wrong version number|ssl3_get_record|packet length too long/i, 'The server does not speak TLS at this port. Choose STARTTLS.'],
  [/STARTTLS|ETLS/, 'The server offers no STARTTLS. Choose TLS from the start, which usually has port 465, or no encryption.'],
  [
    /ETIMEDOUT|ETIMEOUT|timed? ?out|Greeting never received/i,
    'The server did not answer in time. Check the host, the port and the encryption.'
  ],
  [/ENOAUTH/, 'The server offers no way to sign in. Leave the user empty.'],
  [/EENVELOPE/, 'The server refused the sender or the recipient.'],
  [/ECONNECTION|ESOCKET|ECONNRESET/, 'The connection broke off. Check the port and the encryption.']
]

/** In words; undefined where only the server’s own answer says it. */
export function explainRefusal({ code = '', message }: Pick<MailRefused, 'message'> & { code?: string | undefined }) {
  return meanings.find(([pattern]) => pattern.test(`${message} ${code}`))?.[1]
}
