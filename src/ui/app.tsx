import { ChakraProvider } from '@chakra-ui/react'
import { useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { ComingSoon } from './coming-soon.tsx'
import { system } from './theme.ts'

/** The two routes. Expects a router and <PortsContext> around it. */
export function App() {
  return (
    <ChakraProvider value={system}>
      <ScrollToTop />
      <Routes>
        <Route path="/" element={<ComingSoon />} />
        <Route path="*" element={<RedirectHome />} />
      </Routes>
    </ChakraProvider>
  )
}

function RedirectHome() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/', search }} replace />
}

/** Navigation restores the scroll position to the top. */
function ScrollToTop() {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is new with each navigation.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [key])
  return null
}
