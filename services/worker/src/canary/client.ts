import { Agent, request } from 'undici';

import type { CanaryAccount } from './account.ts';

/** Asks the API as any client does, through the public address. */
export interface CanaryClient extends AsyncDisposable {
  /** Resolves with the body. Throws for anything but success, and after the time limit. */
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    params: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
}

export function createCanaryClient(baseUrl: string, account: CanaryAccount): CanaryClient {
  const agent = new Agent();
  const headers = {
    // The address need not be that of the canary's organization, which then has no name of its own in the DNS.
    host: account.host,
    authorization: `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`,
    'user-agent': 'ParleyCanary',
  };
  return {
    async ask(method, path, params, signal) {
      const form = new URLSearchParams(params).toString();
      const isPost = method === 'POST';
      const url = new URL(`/api/v1${path}${isPost ? '' : `?${form}`}`, baseUrl);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const { statusCode, body } = await request(url, {
        method,
        dispatcher: agent,
        headers: { ...headers, ...(isPost && type) },
        ...(isPost && { body: form }),
        signal,
      });
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`${method} ${path} was answered with ${statusCode}.`);
      }
      return (await body.json()) as Record<string, unknown>;
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
