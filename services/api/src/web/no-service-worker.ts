import { textFile } from '../static/client-files.ts';

/** Takes the place of a service worker that is installed, removes what it has kept, and then itself. */
const script = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await registration.unregister();
  })());
});
`;

export const noServiceWorker = textFile('text/javascript; charset=utf-8', script);
