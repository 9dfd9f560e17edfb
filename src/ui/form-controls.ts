type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * The control of a form with this name. Extensions put others of that name beside it: the last one that holds a text is
 * meant, as what they put before a field is usually empty.
 */
export function controlOf(form: HTMLFormElement, name: string): Control | undefined {
  const named = [...form.elements].filter(
    (element): element is Control =>
      'value' in element && element.getAttribute('name') === name && element.getAttribute('type') !== 'hidden',
  )
  return named.filter(({ value }) => value).pop() ?? named.pop()
}

/** What a visitor has typed, ticked or chosen there; '' if nothing. */
export function typedInto(form: HTMLFormElement, name: string): string {
  const control = controlOf(form, name)
  const isUnticked = control && 'checked' in control && /checkbox|radio/.test(control.type) && !control.checked
  return isUnticked ? '' : (control?.value ?? '')
}
