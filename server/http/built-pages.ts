/** The build writes this list of the pages into the folder of the pages, and the server reads it. */
export const PAGES_FILE = 'pages.json'

/** Each page by its path: its file in the folder, and its content policy. */
export type Pages = Readonly<Record<string, { readonly file: string; readonly policy: string }>>
