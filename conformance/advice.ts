/**
 * What to do about a failed call. The pattern is for the code of an error, or for an answer as 'STATUS TYPE BODY'. While no
 * call has got the right answer, ' first' is added, because the URL may be wrong. The first pattern that fits counts.
 */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^ECONNREFUSED/, 'No backend listens there. Start the backend, or correct the URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'This machine does not know the host. Correct the URL, or check the DNS settings.'],
  [/^(EHOST|ENET)UNREACH|^ETIMEDOUT/, 'The network does not reach the host. Check firewall and VPN.'],
  [/^EPROTO|^ERR_SSL/, 'The TLS connection failed. If the port does not speak TLS, begin the URL with http:'],
  [/^(ECONNRESET|EPIPE|HPE\w*) first$/, 'If the port speaks TLS, begin the URL with https: or else look at its log.'],
  [/^ECONNRESET|^EPIPE|^HPE/, 'The connection broke, or the answer is not HTTP. Look at the log of the backend.'],
  [/^400 .*https (port|server)/is, 'The port speaks TLS: begin the URL with https:'],
  [/^ERR_TLS_CERT_ALTNAME/, 'The certificate is for another host. Use the host of the certificate in the URL.'],
  [/^CERT_(HAS|NOT)/, 'The certificate of the backend is not valid today. Renew the certificate.'],
  [
    /CERT|ISSUER|UNABLE_TO/,
    'This machine does not trust the certificate of the backend. Put the certificate of the authority that issued it into a PEM file, set NODE_EXTRA_CA_CERTS=FILE in the environment, and run the check again.',
  ],
  [/^TimeoutError/, 'The check waits 10 seconds, as the page does. Look at the log, and at the Content-Length.'],
  [/^30\d/, 'The page follows no redirect. If all calls are redirected, use the URL to which they lead.'],
  [/^40[17]/, "A gateway asks for a login. Send its key or password with --header 'Name: value'."],
  [/^404.* first$/s, 'The backend does not know the path. Correct the URL. It has to be without /api at its end.'],
  [/^50[24]/, 'A proxy got no answer from the backend. Start the backend, or look at the log of the proxy.'],
  [/^\d+ text\/html/, 'A proxy or a framework answered in HTML. Configure its answers as openapi.yaml says.'],
]

/** Returns what to do about an error or an answer, or '' if this table does not know it. */
export const adviceFor = (failure: string): string => ADVICE.find(([pattern]) => pattern.test(failure))?.[1] ?? ''
