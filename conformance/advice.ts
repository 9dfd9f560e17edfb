/** What can stand between the check and a backend: the code of an error, or the beginning of an answer. */
const OBSTACLES: readonly (readonly [sign: RegExp, advice: string])[] = [
  [/^ECONNREFUSED/, 'Nothing listens there. Start the backend, or correct the URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'This machine does not know the host. Correct the URL, or look at its DNS.'],
  [/^(EHOST|ENET)UNREACH|^ETIMEDOUT/, 'The network does not reach the host. Look at its firewall or VPN.'],
  [/^EPROTO|^ERR_SSL/, 'TLS fails. If the port does not speak TLS, begin the URL with http:'],
  [/^ECONNRESET|^EPIPE|^HPE/, 'Look at the log of the backend. If its port speaks TLS, begin the URL with https:'],
  [/^400 .*https (port|server)/is, 'The port speaks TLS: begin the URL with https:'],
  [/^ERR_TLS_CERT_ALTNAME/, 'Its certificate has another host. Use the host of the certificate in the URL.'],
  [/^CERT_(HAS|NOT)/, 'Its certificate is not valid today. Renew the certificate.'],
  [
    /CERT|ISSUER|UNABLE_TO/,
    'This machine does not trust its certificate. Put the certificate of its authority into a PEM file, set NODE_EXTRA_CA_CERTS=FILE in the environment, and run the check again.',
  ],
  [/^TimeoutError/, 'The page also gives up after 10 seconds. Look at the log of the backend.'],
  [/^30\d/, 'The page follows no redirect. If all calls are redirected, give the URL to which they lead.'],
  [/^40[17]/, "A gateway wants to know who calls. Give what it needs with --header 'Name: value'."],
  [/^404/, 'The backend does not know the path. Is the URL right, without /api at its end?'],
  [/^50[24]/, 'A proxy answers, because it gets no answer of the backend. Look at the log of the proxy.'],
  [/^\d+ text\/html/, 'The answer is HTML. A proxy or framework writes it, not the code that implements the contract.'],
]

/** What to do about an error or an answer, or '' if nothing is known. */
export const adviceOn = (sign: string): string => OBSTACLES.find(([pattern]) => pattern.test(sign))?.[1] ?? ''
