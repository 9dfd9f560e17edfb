/** Posts JSON as no browser does; status 0 stands for a call that had no whole answer in JSON. */
export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: {} }
  }
}
