/**
 * What it returns tells what the live regions that stand there now have announced since it was asked last: when text
 * that is not hidden comes into one, all of its text.
 */
export function listen(): () => string[] {
  const heard: string[] = []
  function hear(records: MutationRecord[]) {
    const regions = records.map(({ target, addedNodes }) => {
      const part = target instanceof Element && [...addedNodes].some(({ textContent }) => textContent) ? target : null
      return part?.closest('[aria-hidden=true]') ? null : part?.closest<HTMLElement>('[aria-live]')
    })
    for (const region of new Set(regions)) heard.push(region?.innerText.replace(/\s+/g, ' ').trim() ?? '')
  }
  const observer = new MutationObserver(hear)
  for (const region of document.querySelectorAll('[aria-live]'))
    observer.observe(region, { subtree: true, childList: true })
  return () => {
    hear(observer.takeRecords())
    return heard.splice(0).filter(Boolean)
  }
}
