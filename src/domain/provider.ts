/** The provider's short name: on the page, in its title and in the name of its cookie. */
export const PROVIDER: string = 'GWW'
