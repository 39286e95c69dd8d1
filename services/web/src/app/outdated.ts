const key = 'parley-reloaded-at';
const againAfterMs = 60_000;

/**
 * A page that is older than its server asks for parts of the client that are no more. It is loaded anew, unless that
 * has just been done: then the failure is shown where it is.
 */
export function reloadWhenOutdated(): void {
  globalThis.addEventListener('vite:preloadError', (event) => {
    const before = Number(sessionStorage.getItem(key));
    if (Date.now() - before < againAfterMs) return;
    sessionStorage.setItem(key, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
