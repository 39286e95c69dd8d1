import type { FetchEvent, WorkerScope } from './scope.ts';

/** What the page consists of, as it was built together with this worker. */
export interface Shell {
  /** Another one for each build. */
  version: string;
  /** Paths of what the page loads first. Their names change with their content. */
  files: readonly string[];
}

const prefix = 'parley-shell-';
const page = '/';
const filesPath = '/static/web/';

/**
 * Keeps the page for when there is no network. While there is one, the page is always asked of the server: whoever has
 * upgraded it sees the new one at the next load. Nothing of the API, no upload and nothing of another site is kept.
 */
export class ShellCache {
  readonly #scope: WorkerScope;
  readonly #shell: Shell;
  readonly #name: string;

  constructor(scope: WorkerScope, shell: Shell) {
    this.#scope = scope;
    this.#shell = shell;
    this.#name = prefix + shell.version;
  }

  /** Fetches everything, before this version takes the place of another. */
  async install(): Promise<void> {
    const cache = await this.#open();
    await cache.addAll([new Request(page, { cache: 'no-cache' }), ...this.#shell.files]);
    await this.#scope.skipWaiting();
  }

  /** Forgets other versions. */
  async activate(): Promise<void> {
    for (const name of await this.#scope.caches.keys())
      if (name.startsWith(prefix) && name !== this.#name) await this.#scope.caches.delete(name);
    await this.#scope.registration.navigationPreload?.enable();
    await this.#scope.clients.claim();
  }

  /** Answers what it is there for. The browser asks for anything else as if there were no worker. */
  answer(event: FetchEvent): void {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== this.#scope.location.origin) return;
    if (request.mode === 'navigate' && pathname === page) event.respondWith(this.#page(event));
    else if (pathname.startsWith(filesPath)) event.respondWith(this.#file(request));
  }

  /** The page as the server has it; the one that is kept if there is no server. */
  async #page(event: FetchEvent): Promise<Response> {
    try {
      const response = (await event.preloadResponse) ?? (await fetch(event.request));
      if (response.ok && !response.redirected) event.waitUntil(this.#keep(page, response.clone()));
      return response.status < 500 ? response : ((await this.#kept(page)) ?? response);
    } catch (error) {
      const kept = await this.#kept(page);
      if (kept) return kept;
      throw error;
    }
  }

  /** A file never changes under its name. */
  async #file(request: Request): Promise<Response> {
    const kept = await this.#kept(request);
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) await this.#keep(request, response.clone());
    return response;
  }

  async #kept(request: Request | string): Promise<Response | undefined> {
    return await (await this.#open()).match(request, { ignoreVary: true });
  }

  /** A disk that is full keeps nothing. */
  async #keep(request: Request | string, response: Response): Promise<void> {
    await (await this.#open()).put(request, response).catch(() => undefined);
  }

  #open(): Promise<Cache> {
    return this.#scope.caches.open(this.#name);
  }
}
