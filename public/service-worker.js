// Ends a service worker that an earlier site at this address has left, which would go on showing that site.
addEventListener('install', () => skipWaiting())
addEventListener('activate', () => registration.unregister())
