// Takes the place of a service worker that an earlier site at this address has installed, and ends itself. It deletes
// the caches of that site, and loads the pages again that the earlier worker has answered.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(end()))

async function end() {
  await registration.unregister()
  for (const name of await caches.keys()) await caches.delete(name)
  const pages = await clients.matchAll({ type: 'window' })
  await Promise.all(pages.map((page) => page.navigate(page.url)))
}
