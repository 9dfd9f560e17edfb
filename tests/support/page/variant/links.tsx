import { Checkbox, createListCollection, Flex, Portal, Select } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { Links as OwnLinks } from '../../../../src/ui/links.tsx'

export * from '../../../../src/ui/links.tsx'

export const AGREE = 'موافق'
export const SELECT = 'اختيار'
export const OPTION = 'خيار'

const item = { label: OPTION, value: OPTION }

/** Components of Chakra, used as it documents them, after the links of the page and of the dialog. */
export const Links = (props: ComponentProps<typeof OwnLinks>) => (
  <>
    <OwnLinks {...props} />
    <Flex wrap="wrap" gridColumn="1 / -1" gap="2">
      <Checkbox.Root>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>{AGREE}</Checkbox.Label>
      </Checkbox.Root>
      <Select.Root collection={createListCollection({ items: [item] })}>
        <Select.Label>{SELECT}</Select.Label>
        <Select.Control>
          <Select.Trigger>
            <Select.ValueText />
          </Select.Trigger>
        </Select.Control>
        <Portal>
          <Select.Positioner>
            <Select.Content>
              <Select.Item item={item}>{OPTION}</Select.Item>
            </Select.Content>
          </Select.Positioner>
        </Portal>
      </Select.Root>
    </Flex>
  </>
)
