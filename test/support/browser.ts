import { type Params, type Reply, call, encode } from './http.ts';
import { getWorld } from './world.ts';

/** Somebody's browser: it keeps cookies, and its pages send the CSRF token along. */
export interface Browser {
  cookies: Map<string, string>;
  ask(method: string, path: string, params?: Params, headers?: Record<string, string>): Promise<Reply>;
}

export function openBrowser({ host }: { host: string }, differing: { port?: number } = {}): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async ask(method, path, params = {}, headers = {}) {
      const { ports } = await getWorld();
      const isForQueueNode =
        path === '/json/events' && (params['queue_id'] !== undefined || method === 'DELETE');
      const encoded = encode(params);
      const isQuery = method === 'GET';
      const csrf = cookies.get('csrftoken');
      const reply = await call({
        port: differing.port ?? (isForQueueNode ? ports.queue : ports.api),
        method,
        path: isQuery && encoded ? `${path}?${encoded}` : path,
        headers: {
          Host: host,
          Accept: 'application/json',
          ...(cookies.size > 0 && { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
          ...(!isQuery && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...(!isQuery && csrf !== undefined && { 'X-CSRFToken': csrf }),
          ...headers,
        },
        ...(!isQuery && { body: encoded }),
      });
      for (const cookie of [reply.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (cookie.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, value);
      }
      return reply;
    },
  };
}
