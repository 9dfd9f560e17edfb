/** The provider's short name. It stands here alone: title and cookie name are made from it. */
export const PROVIDER = 'GWW'
