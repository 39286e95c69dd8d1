import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

import { type Reply, call } from '../../support/index.ts';

/** What a provider of OpenID Connect says of somebody. */
interface Claims {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface RunningProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Logs in at the provider, as somebody in a browser who was sent to it; answers with where they are sent back to. */
  visit(url: string, account: string): Promise<string>;
}

/** A real provider, which knows some people and one client. It asks for PKCE. */
export async function startProvider(
  redirectUris: string[],
  people: Record<string, Claims>,
): Promise<RunningProvider> {
  let listener: ReturnType<Provider['callback']> | undefined;
  const server: Server = createServer((request, response) => listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ['parley', 'a secret that the two of them know'];
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the provider’s cookies'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) =>
      people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
  });
  listener = provider.callback();

  async function visit(url: string, account: string): Promise<string> {
    const cookies = new Map<string, string>();
    const go = async (method: string, address: string, body?: string): Promise<Reply> => {
      const { pathname, search } = new URL(address, issuer);
      const reply = await call({
        port,
        method,
        path: `${pathname}${search}`,
        headers: {
          Host: new URL(issuer).host,
          Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        ...(body !== undefined && { body }),
      });
      for (const cookie of [reply.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return reply;
    };
    const forms = [`prompt=login&login=${account}&password=x`, 'prompt=consent'];
    let reply = await go('GET', url);
    for (let step = 0; step < 12; step += 1) {
      const location = reply.headers['location']?.toString() ?? '';
      if (redirectUris.some((uri) => location.startsWith(uri))) return location;
      if (location !== '') reply = await go('GET', location);
      else {
        const [, action = ''] = /action="([^"]+)"/.exec(reply.text) ?? [];
        if (action === '') throw new Error(`The provider shows ${reply.status} ${reply.text.slice(0, 500)}`);
        reply = await go('POST', action, forms.shift() ?? '');
      }
    }
    throw new Error('The provider never sends anybody back.');
  }

  return {
    issuer,
    clientId,
    clientSecret,
    visit,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
