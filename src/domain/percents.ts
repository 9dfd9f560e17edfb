/** A URI-encoded text decoded, or as it is where it can't be. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
