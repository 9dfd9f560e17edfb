/** Decodes a URI-encoded text. A text that can't be decoded is returned unchanged. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
