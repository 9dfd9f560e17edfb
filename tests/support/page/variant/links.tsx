import {
  Button,
  Checkbox,
  Combobox,
  createListCollection,
  Flex,
  Input,
  Menu,
  NativeSelect,
  Popover,
  Portal,
  Select,
  Tooltip,
} from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { Links as OwnLinks } from '../../../../src/ui/links.tsx'

export * from '../../../../src/ui/links.tsx'

/** The names of the components, and what each of them shows on top of the page or of the dialog. */
export const STOCK = { select: 'اختيار', combobox: 'بحث', menu: 'قائمة', popover: 'نافذة', tooltip: 'تلميح' }
export const SHOWN = 'خيار'
export const AGREE = 'موافق'

const item = { label: SHOWN, value: SHOWN }
const collection = createListCollection({ items: [item] })

/** Components of Chakra, used as it documents them, after the links of the page and of the dialog. */
export const Links = (props: ComponentProps<typeof OwnLinks>) => (
  <>
    <OwnLinks {...props} />
    <Flex wrap="wrap" gridColumn="1 / -1" gap="2">
      <Input aria-label="إدخال" />
      <NativeSelect.Root>
        <NativeSelect.Field aria-label="إدخال" />
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      <Checkbox.Root>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>{AGREE}</Checkbox.Label>
      </Checkbox.Root>
      <Select.Root collection={collection}>
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
      <Combobox.Root collection={collection} openOnClick>
        <Combobox.Label>{STOCK.combobox}</Combobox.Label>
        <Combobox.Control>
          <Combobox.Input />
        </Combobox.Control>
        <Portal>
          <Combobox.Positioner>
            <Combobox.Content>
              <Combobox.Item item={item}>{SHOWN}</Combobox.Item>
            </Combobox.Content>
          </Combobox.Positioner>
        </Portal>
      </Combobox.Root>
      <Menu.Root>
        <Menu.Trigger asChild>
          <Button>{STOCK.menu}</Button>
        </Menu.Trigger>
        <Portal>
          <Menu.Positioner>
            <Menu.Content>
              <Menu.Item value="1">{SHOWN}</Menu.Item>
            </Menu.Content>
          </Menu.Positioner>
        </Portal>
      </Menu.Root>
      <Popover.Root>
        <Popover.Trigger asChild>
          <Button>{STOCK.popover}</Button>
        </Popover.Trigger>
        <Portal>
          <Popover.Positioner>
            <Popover.Content>{SHOWN}</Popover.Content>
          </Popover.Positioner>
        </Portal>
      </Popover.Root>
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
