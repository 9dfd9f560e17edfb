/**
 * What it returns tells what the live regions that stand there now have announced since it was asked last: when text
 * that is not hidden comes into one, all of its text.
 */
export function listen(): () => string[] {
  const heard: string[] = []
  function hear(records: MutationRecord[]) {
    const parts = records.flatMap(({ target, addedNodes }) =>
      target instanceof Element && [...addedNodes].some(({ textContent }) => textContent) ? target : [],
    )
    const regions = parts.map((part) => !part.closest('[aria-hidden=true]') && part.closest('[aria-live]'))
    for (const region of new Set(regions)) {
      const text = region instanceof HTMLElement && region.innerText.replace(/\s+/g, ' ').trim()
      if (text) heard.push(text)
    }
  }
  const observer = new MutationObserver(hear)
  for (const region of document.querySelectorAll('[aria-live]'))
    observer.observe(region, { subtree: true, childList: true })
  return () => {
    hear(observer.takeRecords())
    return heard.splice(0)
  }
}
