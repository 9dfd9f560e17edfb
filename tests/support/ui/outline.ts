import { computeAccessibleDescription, computeAccessibleName, getRole } from 'dom-accessibility-api'

/** Elements of these roles have one line. Their children are skipped. */
const LEAVES = /^(button|checkbox|combobox|heading|link|menuitem|option|radio|slider|switch|tab|textbox)$/
const GROUPS = /^(alert|dialog|form|group|main)$/
/** The severity of a notification is its colour and its icon. */
const SEVERITY = 'data-severity'
const TONE = 'data-tone'
const ATTRIBUTES = [
  'aria-busy',
  'aria-disabled',
  'aria-invalid',
  'aria-live',
  'aria-selected',
  'aria-expanded',
  'aria-valuenow',
  'required',
  'readonly',
  SEVERITY,
  TONE,
]

/** What assistive technology finds in these parts. Each line has a role, with its name, value, states and description. */
export const outline = (...parts: readonly Element[]): string => parts.flatMap(linesOf).join('\n')

function linesOf(element: Element): string[] {
  if (isHidden(element)) return []
  // A label has no line, because it is the name of its field.
  if (element.localName === 'label') return [...element.children].flatMap(linesOf)
  const role = getRole(element) ?? ''
  if (LEAVES.test(role)) return [lineOf(element, role)]
  const lines: string[] = []
  let text = ''
  function endText() {
    lines.push(...[text.replace(/\s+/g, ' ').trim()].filter(Boolean))
    text = ''
  }
  for (const child of element.childNodes) {
    if (child instanceof Text) text += child.data
    else if (!(child instanceof Element)) continue
    else if (child.localName === 'b') text += `*${child.textContent}*`
    else if (/^(br|wbr)$/.test(child.localName)) text += child.localName === 'br' ? ' ' : ''
    else {
      endText()
      lines.push(...linesOf(child))
    }
  }
  endText()
  const isGroup = GROUPS.test(role) || element.matches(`[aria-live], [${SEVERITY}], [${TONE}]`)
  return isGroup ? [lineOf(element, role), ...lines.map((line) => `  ${line}`)] : lines
}

function lineOf(element: Element, role: string): string {
  const states = ATTRIBUTES.flatMap((name) => {
    const value = element.getAttribute(name) ?? 'false'
    return value === 'false' ? [] : [`${name.replace(/^.*-/, '')} ${value.replace('true', '')}`.trim()]
  })
  const { value, labels, checked } = element as Partial<HTMLInputElement>
  if (checked) states.push('checked')
  if (labels?.length === 0 && role === 'textbox') states.push('without label')
  if (element === document.activeElement) states.push('focused')
  const description = computeAccessibleDescription(element)
  return [
    role === 'generic' ? '' : role === 'heading' ? element.localName : role,
    [computeAccessibleName(element)].map((name) => name && `'${name}'`),
    role === 'textbox' && value ? `= ${value}` : '',
    role === 'link' ? `to ${element.getAttribute('href') || 'this page'}` : '',
    states.length > 0 ? `(${states.join(', ')})` : '',
    description && `— ${description}`,
  ]
    .filter((part) => `${part}`)
    .join(' ')
    .replace(/\s+/g, ' ')
}

const isHidden = (element: Element) =>
  element.matches('[aria-hidden=true], [inert]') || getComputedStyle(element).display === 'none'
