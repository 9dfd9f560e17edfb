export type Hosts = {
  /** A URL for each host, as the driver takes it, in the order in which they are tried. */
  readonly urls: readonly [string, ...string[]]
  /** Whether hosts that don't accept writes are skipped. */
  readonly mustWrite: boolean
}

/** Scheme and user, hosts, and the rest. A password may hold a comma or, as the driver reads it, an @. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/su

/**
 * Reads libpq's form for several hosts, `postgres://user@db1:5432,db2/leads?target_session_attrs=read-write`. Of several
 * hosts only one that accepts writes is used, whether the URL asks for it or not. Null if a part is not supported.
 */
export function readHosts(url: string): Hosts | null {
  const [, before, list, after] = PARTS.exec(url) ?? []
  if (list === undefined) return null
  const [first = '', ...others] = list.split(',').map((host) => `${before}${host}${after}`)
  const several = others.length > 0
  const attributes = URL.parse(first)?.searchParams.get('target_session_attrs')
  const mustWrite = attributes === 'read-write' || attributes === 'primary'
  if (attributes && !mustWrite && (several || attributes !== 'any')) return null
  return [first, ...others].every((each) => namesHostAndDatabase(URL.parse(each), several))
    ? { urls: [first, ...others], mustWrite: mustWrite || several }
    : null
}

/** Whether a URL names a host, or the folder of a socket, and a database: the driver has defaults for them. */
function namesHostAndDatabase(url: URL | null, several: boolean): boolean {
  if (url === null || url.pathname.length < 2) return false
  const given = [url.searchParams.get('host'), url.searchParams.get('port')]
  // The driver prefers these parameters to the URL's own host and port, and takes no lists in them.
  if (given.some((each) => each?.includes(',') || (several && each !== null))) return false
  return url.host !== '' || Boolean(given[0])
}

/** The URLs' host and port, or the socket's folder. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(url)
  return host || (searchParams.get('host') ?? '')
}
