import { Button, Checkbox, createListCollection, Flex, Portal, Select, Tooltip } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { Links as OwnLinks } from '../../../../src/ui/links.tsx'

export * from '../../../../src/ui/links.tsx'

/** The names of the components, and what each of them shows on top of the page or of the dialog. */
export const STOCK = { select: 'اختيار', tooltip: 'تلميح' }
export const SHOWN = 'خيار'
export const AGREE = 'موافق'

const item = { label: SHOWN, value: SHOWN }

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
        <Select.Label>{STOCK.select}</Select.Label>
        <Select.Control>
          <Select.Trigger>
            <Select.ValueText />
          </Select.Trigger>
        </Select.Control>
        <Portal>
          <Select.Positioner>
            <Select.Content>
              <Select.Item item={item}>{SHOWN}</Select.Item>
            </Select.Content>
          </Select.Positioner>
        </Portal>
      </Select.Root>
      <Tooltip.Root openDelay={0} interactive>
        <Tooltip.Trigger asChild>
          <Button>{STOCK.tooltip}</Button>
        </Tooltip.Trigger>
        <Portal>
          <Tooltip.Positioner>
            <Tooltip.Content>{SHOWN}</Tooltip.Content>
          </Tooltip.Positioner>
        </Portal>
      </Tooltip.Root>
    </Flex>
  </>
)
