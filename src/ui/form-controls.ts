type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * The control of a form with this name. If extensions have added others of that name, it is the last one with a text,
 * because a control that they put before a field is usually empty.
 */
export function controlOf(form: HTMLFormElement, name: string): Control | undefined {
  const controls = [...form.elements].filter(
    (element): element is Control =>
      'value' in element && element.getAttribute('name') === name && element.getAttribute('type') !== 'hidden',
  )
  return controls.filter(({ value }) => value).pop() ?? controls.pop()
}

/** The value that a visitor has typed, ticked or chosen in a control; '' if there is none. */
export function typedInto(form: HTMLFormElement, name: string): string {
  const control = controlOf(form, name)
  const isUnticked = control && 'checked' in control && /checkbox|radio/.test(control.type) && !control.checked
  return isUnticked ? '' : (control?.value ?? '')
}
