/** Decodes a URI-encoded text, such as 'a%2Fb'. Returns a text that can't be decoded unchanged. */
export function uriDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
