import { Box, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { useEffect, useState } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { SCRIPTS_RUN } from '../../element-names.ts'
import { Links } from '../links.tsx'
import { useServices } from '../services.ts'
import { SubscribeForm } from '../subscribe/subscribe-form.tsx'
import { Header } from './header.tsx'
import { COLUMN_WIDTH, Scene, Sea } from './scene.ts'

/** The heading has two lines in every system font, also with wide letter spacing. On a low screen it has one. */
const title: SystemStyleObject = {
  maxW: '6.7em',
  minW: 'min-content',
  overflowWrap: 'break-word',
  // On a narrow screen `20vw - 28px` and `16vw - 15px` limit the size. So the lines fit, also with a visitor's large text.
  fontSize: 'min(clamp(2.75rem, 1rem + 10vw, 10rem), 20vw - 28px, 12.5svh)',
  '@media (max-height: 30rem)': { maxW: 'none', fontSize: 'min(16vw - 15px, 14svh)' },
  lineHeight: 0.96,
  letterSpacing: '-0.035em',
  // The stem of the first letter is exactly above the beginning of the small text.
  ms: '-0.075em',
}

/** The spaces above this text and above the form are smaller on a low screen, because the form needs the room. */
const lead: SystemStyleObject = {
  maxW: COLUMN_WIDTH,
  mt: 'clamp(6px, 3.2svh - 8px, {spacing.6})',
  fontSize: 'lg',
  lineHeight: 1.45,
  textWrap: 'balance',
  whiteSpace: { sm: 'pre-line' },
}

/** The host of the page. It is seen only on paper. */
function PrintedAddress() {
  const [host, setHost] = useState('')
  useEffect(() => setHost(location.host), [])
  return (
    <Box as="p" mt="6" display="none" _print={{ display: 'block' }}>
      {host}
    </Box>
  )
}

export function ComingSoon() {
  const { links } = useServices()
  const waysToWrite = links.filter(({ href, contact }) => contact ?? href.startsWith('mailto:'))
  return (
    <Scene>
      <Header />
      <Sea>
        <main>
          <Heading as="h1" css={title}>
            {TEXT.heading}
          </Heading>
          <Box as="p" css={lead}>
            {TEXT.purpose}
          </Box>
          <Box mt="6" maxW={COLUMN_WIDTH} textWrap="balance" css={{ [`html[${SCRIPTS_RUN}] &`]: { display: 'none' } }}>
            <p>{TEXT.needsScripts}</p>
            {waysToWrite.length > 0 && <p>{TEXT.otherWays}</p>}
            <Links links={waysToWrite} />
          </Box>
          <PrintedAddress />
          <SubscribeForm maxW={COLUMN_WIDTH} mt="clamp(10px, 7svh - 24px, {spacing.10})" />
        </main>
        <Links as="footer" links={links} />
      </Sea>
    </Scene>
  )
}
