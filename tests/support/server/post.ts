/** Posts JSON without the headers of a browser. Status 0 means that no complete answer in JSON came. */
export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  try {
    const answer = await fetch(url, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: {} }
  }
}
