/**
 * Observes the live regions that the page has now. The returned function gives their announcements since its last call:
 * if visible text is added to a region, the announcement is the whole text of the region.
 */
export function listen(): () => string[] {
  const announcements: string[] = []
  function addAnnouncements(records: MutationRecord[]) {
    const regions = records.map(({ target, addedNodes }) => {
      const part = target instanceof Element && [...addedNodes].some(({ textContent }) => textContent) ? target : null
      return part?.closest('[aria-hidden=true]') ? null : part?.closest<HTMLElement>('[aria-live]')
    })
    for (const region of new Set(regions)) announcements.push(region?.innerText.replace(/\s+/g, ' ').trim() ?? '')
  }
  const observer = new MutationObserver(addAnnouncements)
  for (const region of document.querySelectorAll('[aria-live]'))
    observer.observe(region, { subtree: true, childList: true })
  return () => {
    addAnnouncements(observer.takeRecords())
    return announcements.splice(0).filter(Boolean)
  }
}
