/** Decodes a URI-encoded text, such as 'a%2Fb'. If the text can't be decoded, returns it unchanged. */
export function uriDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
