declare global {
  interface Window {
    heard(): string[]
  }
}

/**
 * From now on `window.heard()` returns what the live regions that stand there now have announced since it was asked
 * last: when an element or a text of one appears, all of its text. One that is shown together with its text is silent.
 */
export function listen(): void {
  const heard: string[] = []
  function regionOf({ type, target, addedNodes }: MutationRecord) {
    const element = target instanceof HTMLElement ? target : null
    if (type === 'attributes') return element?.hidden ? null : element?.parentElement?.closest('[aria-live]')
    return addedNodes.length === 0 || element?.closest('[aria-hidden=true]') ? null : element?.closest('[aria-live]')
  }
  function hear(records: MutationRecord[]) {
    const shown = records.filter(({ type }) => type === 'attributes').map(({ target }) => target)
    for (const region of new Set(records.map(regionOf))) {
      const text = region instanceof HTMLElement && !shown.includes(region) && region.innerText.replace(/\s+/g, ' ')
      if (text) heard.push(text.trim())
    }
  }
  const observer = new MutationObserver(hear)
  const options = { subtree: true, childList: true, attributeFilter: ['hidden'] }
  for (const region of document.querySelectorAll('[aria-live]')) observer.observe(region, options)
  window.heard = () => {
    hear(observer.takeRecords())
    return heard.splice(0)
  }
}
