declare global {
  interface Window {
    heard(): string[]
  }
}

/**
 * From now on `window.heard()` returns what the live regions that stand there now have announced since it was asked
 * last: when an element of one appears, all of its text.
 */
export function listen(): void {
  const heard: string[] = []
  function hear(records: MutationRecord[]) {
    const gains = records.filter(({ type, target, addedNodes }) =>
      type === 'attributes' ? target instanceof HTMLElement && !target.hidden : addedNodes.length > 0,
    )
    const targets = gains.map(({ target }) => (target instanceof Element ? target : target.parentElement))
    const regions = targets.filter((it) => !it?.closest('[aria-hidden=true]')).map((it) => it?.closest('[aria-live]'))
    for (const region of new Set(regions)) {
      const text = region instanceof HTMLElement && region.innerText.replace(/\s+/g, ' ').trim()
      if (text) heard.push(text)
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
