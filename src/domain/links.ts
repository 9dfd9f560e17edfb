import { LINK_TEXT, LINKS, type Link } from './texts.ts'

/** The settings of the build that give addresses of links. */
type LinkSettings = { readonly PRIVACY_URL?: string; readonly IMPRINT_URL?: string; readonly CONTACT_URL?: string }

/** All links of the page: those that have an address in the settings, and then those of `texts.ts`. */
export function linksOf({ PRIVACY_URL = '', IMPRINT_URL = '', CONTACT_URL = '' }: LinkSettings = {}): readonly Link[] {
  const ofSettings = [
    { text: LINK_TEXT.privacy, href: PRIVACY_URL },
    { text: LINK_TEXT.imprint, href: IMPRINT_URL },
    { text: LINK_TEXT.contact, href: CONTACT_URL, contact: true },
  ]
  return [...ofSettings.filter(({ href }) => href), ...LINKS]
}
