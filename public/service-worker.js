// Ends a service worker that an earlier site at this address has installed. It would continue to show that site.
addEventListener('install', () => skipWaiting())
addEventListener('activate', () => registration.unregister())
