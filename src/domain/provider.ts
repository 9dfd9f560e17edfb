/** The provider's short name, in any script. The page, its title, its card and a cookie's name contain it. */
export const PROVIDER: string = 'GWW'
