import { Box, Button, Flex, Heading, Stack, type SystemStyleObject, Text } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { OPENS_DIALOG, SCRIPTS_RUN } from '../../page-marks.ts'
import { CONTACT_LINKS, Links } from '../links.tsx'
import { heroImage } from './hero-image.ts'
import { Logo } from './logo.tsx'
import { SubscribeForm } from './subscribe-form.tsx'

const hero: SystemStyleObject = {
  minH: '100vh',
  '@supports (height: 100svh)': { minH: '100svh' },
  p: 'clamp(8px, 3vw, 20px)',
  textAlign: 'center',
  color: 'hero.fg',
  ...heroImage,
}

/**
 * Sized by its container, whose width does not change when the page's scrollbar disappears. On a low screen a wide
 * heading would leave no room for the form; on a narrow screen large text would not fit.
 */
const title: SystemStyleObject = {
  fontSize: 'min(clamp(2.625rem, min(1.25rem + 6.5cqi, 14vh), 8rem), 14.4cqi)',
  lineHeight: 1.02,
  letterSpacing: '-0.03em',
}

export function ComingSoon() {
  return (
    <Flex as="main" direction="column" css={hero}>
      <Stack
        w={{ base: 'full', md: 'min(100%, 56rem)', '2xl': '72rem' }}
        m="auto"
        px="clamp(0.75rem, 4vw, 4rem)"
        py="clamp(1rem, 4vh, 3rem)"
        align="center"
        gap="clamp(0.75rem, 3vh, 2rem)"
        bg="hero.veil"
        borderRadius="l3"
        containerType="inline-size"
      >
        <Logo />
        <Box maxW="full">
          <Heading as="h1" css={title}>
            {TEXT.heading}
          </Heading>
          <Text mt="3" textWrap="balance" fontSize={{ base: 'lg', '2xl': '2xl' }}>
            {TEXT.purpose}
          </Text>
        </Box>
        <Box css={{ [`html[${SCRIPTS_RUN}] &`]: { display: 'none' } }}>
          <Text textWrap="balance">{TEXT.needsScripts}</Text>
          {CONTACT_LINKS.length > 0 && <Text>{TEXT.otherWays}</Text>}
          <Links links={CONTACT_LINKS} justify="center" />
        </Box>
        <SubscribeForm />
        <Button
          variant="outline"
          colorPalette="hero"
          minH={{ base: '10', '2xl': '14' }}
          fontSize={{ base: 'md', '2xl': 'xl' }}
          bg="colorPalette.muted"
          _hover={{ bg: 'colorPalette.subtle', borderColor: 'colorPalette.contrast' }}
          _active={{ bg: 'colorPalette.solid', transform: 'translateY(1px)' }}
          {...OPENS_DIALOG.props}
        >
          {TEXT.contactUs}
        </Button>
      </Stack>
      <Links justify="center" alignSelf="center" px="4" bg="hero.veil" borderRadius="l2" />
    </Flex>
  )
}
