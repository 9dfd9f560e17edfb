import { Box, Button, Flex, Heading, Stack, type SystemStyleObject, Text } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { Links } from '../links.tsx'
import { useServices } from '../services-context.ts'
import { heroImage } from './hero-image.ts'
import { Logo } from './logo.tsx'
import { SubscribeForm } from './subscribe-form.tsx'

const hero: SystemStyleObject = {
  minH: '100vh',
  '@supports (height: 100svh)': { minH: '100svh' },
  p: '20px',
  textAlign: 'center',
  containerType: 'inline-size',
  color: 'hero.contrast',
  ...heroImage,
}

export function ComingSoon() {
  const { contactDialog } = useServices()
  return (
    <Flex as="main" direction="column" css={hero}>
      <Stack flex="1" align="center" justify="center" gap="clamp(1rem, 4vh, 2.5rem)">
        <Logo />
        <Box maxW="full" textShadow="0 0.125rem 2rem {colors.hero.solid/50}">
          <Heading as="h1" size="7xl">
            {TEXT.heading}
          </Heading>
          <Text mt="3" textWrap="balance" fontSize={{ base: 'lg', '2xl': '2xl' }}>
            {TEXT.purpose}
          </Text>
        </Box>
        <Text px="3" py="1" bg="hero.solid/80" borderRadius="l2" css={{ 'html[data-scripts] &': { display: 'none' } }}>
          {TEXT.needsScripts}
        </Text>
        <SubscribeForm />
        <Button
          variant="outline"
          size={{ base: 'md', '2xl': 'lg' }}
          colorPalette="hero"
          aria-haspopup="dialog"
          data-contact-dialog="open"
          onClick={() => contactDialog.set(true)}
        >
          {TEXT.contactUs}
        </Button>
      </Stack>
      <Links justify="center" />
    </Flex>
  )
}
