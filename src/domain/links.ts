import { LINK_TEXT, LINKS, type Link } from './texts.ts'

/** The addresses of links, which are settings of the build. */
type Addresses = { readonly PRIVACY_URL?: string; readonly IMPRINT_URL?: string; readonly CONTACT_URL?: string }

/** Returns all links of the page: first those that have an address in the settings, then those in `texts.ts`. */
export function pageLinks({ PRIVACY_URL = '', IMPRINT_URL = '', CONTACT_URL = '' }: Addresses = {}): readonly Link[] {
  const fromSettings = [
    { text: LINK_TEXT.privacy, href: PRIVACY_URL },
    { text: LINK_TEXT.imprint, href: IMPRINT_URL },
    { text: LINK_TEXT.contact, href: CONTACT_URL, contact: true },
  ]
  return [...fromSettings.filter(({ href }) => href), ...LINKS]
}
