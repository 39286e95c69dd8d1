import assert from 'node:assert/strict';

import type { Stage } from './area.ts';

/** Who asks the server for somebody, as programs do. */
export function asking({ demos, address }: Stage, name: string) {
  const { email, api_key: key } = demos.demo(name);
  const headers = { Authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  return async (method: string, path: string, fields: Record<string, string> = {}) => {
    const body = method === 'GET' ? null : new URLSearchParams(fields);
    const response = await fetch(`${address}/api/v1${path}`, { method, headers, body });
    const reply = (await response.json()) as Record<string, unknown>;
    assert.equal(reply['result'], 'success', JSON.stringify(reply));
    return reply;
  };
}
