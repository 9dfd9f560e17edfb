/** Chakra's own theme without its recipes, from tools/build/chakra-theme.ts. */
declare module 'virtual:chakra-theme' {
  const theme: import('@chakra-ui/react').SystemConfig['theme']
  export default theme
}
