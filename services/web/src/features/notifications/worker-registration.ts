import { scriptUrl } from '../../base/html/html-policy.ts';
import { workerRegistration } from './push-service.ts';

/** How often a page that stays open asks whether there is a new version. */
const updateMs = 3_600_000;

/** Has the browser run the service worker, and open the message of a notification that is clicked. */
export function runServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (typeof data?.open === 'string' && data.open.startsWith('#')) location.hash = data.open;
  });
  // The first look at the page has precedence. The page may have loaded while its language was fetched.
  if (document.readyState === 'complete') void register();
  else globalThis.addEventListener('load', () => void register());
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(scriptUrl('/service-worker.js'), {
      updateViaCache: 'none',
    });
    setInterval(() => void update(), updateMs);
  } catch {
    // A browser that is told to keep nothing has none: the page works without.
  }
}

async function update(): Promise<void> {
  await (await workerRegistration())?.update().catch(() => undefined);
}
