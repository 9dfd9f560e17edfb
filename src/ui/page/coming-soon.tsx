import { Box, Button, Heading, Stack, type SystemStyleObject } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { spaceAbove, spaceBelow } from '../notifications/corner.ts'
import { LastMessage } from '../notifications/last-message.tsx'
import { usePorts } from '../ports-context.ts'
import { backdrop } from './backdrop.ts'
import { Logo } from './logo.tsx'
import { SubscribeForm } from './subscribe-form.tsx'

const hero: SystemStyleObject = {
  minH: '100vh',
  '@supports (height: 100svh)': { minH: '100svh' },
  '--gap': 'clamp(1.5rem, 4vh, 2.5rem)',
  px: '20px',
  textAlign: 'center',
  containerType: 'inline-size',
  '& noscript': { px: '3', py: '1', bg: 'picture.solid/80', borderRadius: 'l2' },
  color: 'picture.contrast',
  ...backdrop,
}

export function ComingSoon() {
  const { contactDialog } = usePorts()
  return (
    <Stack as="main" align="center" justify="center" gap="var(--gap)" css={hero}>
      <Box css={spaceAbove} mb="calc(-1 * var(--gap))" />
      <Logo />
      <Heading as="h1" size="7xl" maxW="full" textShadow="0 0.125rem 2rem {colors.picture.solid/50}">
        {TEXT.heading}
      </Heading>
      <noscript>{TEXT.withoutScripts}</noscript>
      <SubscribeForm>
        <Button
          variant="outline"
          size={{ base: 'md', '2xl': 'lg' }}
          colorPalette="picture"
          aria-haspopup="dialog"
          onClick={() => contactDialog.set(true)}
        >
          {TEXT.contactUs}
        </Button>
      </SubscribeForm>
      <LastMessage />
      <Box css={spaceBelow} mt="calc(-1 * var(--gap))" />
    </Stack>
  )
}
