import { Button, Flex } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { OPENS_DIALOG } from '../../element-names.ts'
import { Notifications } from '../notifications/notifications.tsx'
import { Logo } from './logo.tsx'
import { Sky } from './scene.ts'

/** The top of every page: logo and 'Contact us' on one line, and below that line the notifications. */
export const Header = () => (
  <Sky>
    <div>
      <Flex wrap="wrap" align="center" justify="space-between" rowGap="2" columnGap="4" pb="4">
        {/* If a visitor has set large text, the text of the button is limited on a phone, so that both stay on one line. */}
        <Logo />
        <Button variant="outline" fontSize="min(1em, 6vw)" {...OPENS_DIALOG.props}>
          {TEXT.contactUs}
        </Button>
      </Flex>
      <Notifications />
    </div>
  </Sky>
)
