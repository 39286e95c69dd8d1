import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { readBody } from '@parley/http';

import { type StatusDeps, readStatus } from './read-status.ts';
import { createSignIn } from './sign-in.ts';

const file = (name: string) => readFileSync(new URL(`../../assets/${name}`, import.meta.url));

/** Nothing of the page comes from elsewhere, nothing in it is run but its own file, and nobody may frame it. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const bodyLimits = { bytesMax: 4096, msMax: 5000 };

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates the page on which operators see what the deployment does now, on the port of the metrics. */
export function createOperatorRoutes(deps: StatusDeps): Readonly<Record<string, Serve>> {
  const signIn = createSignIn(deps.signer, deps.clock);
  const isSignedIn = ({ headers }: IncomingMessage) => signIn.isSignedIn(headers.cookie);

  function send(response: ServerResponse, status: number, type: string, body: Buffer | string): void {
    response.writeHead(status, { ...pageHeaders, 'Content-Type': `${type}; charset=utf-8` }).end(body);
  }

  const asset = (name: string, type: string): Serve => {
    const bytes = file(name);
    return async (_, response) => send(response, 200, type, bytes);
  };
  const [page, login] = [file('operators.html'), file('operators-login.html')];

  async function begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, bodyLimits).catch(() => null);
    if (!body) {
      // What is left of it is not read.
      response.shouldKeepAlive = false;
      return send(response, 400, 'text/html', login);
    }
    const form = new URLSearchParams(body.toString('utf8'));
    const cookie = signIn.begin(form.get('token')?.trim() ?? '');
    if (cookie === null) return send(response, 403, 'text/html', login);
    response.writeHead(303, { ...pageHeaders, 'Set-Cookie': cookie, Location: '/operators' }).end();
  }

  return {
    async '/operators'(request, response) {
      if (request.method === 'POST') await begin(request, response);
      else if (isSignedIn(request)) send(response, 200, 'text/html', page);
      else send(response, 401, 'text/html', login);
    },
    async '/operators/status'(request, response) {
      if (!isSignedIn(request)) return send(response, 401, 'application/json', '{}');
      send(response, 200, 'application/json', JSON.stringify(await readStatus(deps)));
    },
    '/operators/page.js': asset('operators.js', 'text/javascript'),
    '/operators/page.css': asset('operators.css', 'text/css'),
  };
}
