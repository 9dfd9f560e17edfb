/** The provider's short name, in any script: on the page, in its title, on its card and in the name of its cookie. */
export const PROVIDER: string = 'GWW'
