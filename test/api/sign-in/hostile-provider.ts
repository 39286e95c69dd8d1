import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { SignJWT, exportJWK, generateKeyPair } from 'jose';

type Claims = Record<string, unknown>;

/** What the provider says of whoever comes. */
export interface Says {
  /** Claims of the token: they replace those of a good one, and undefined removes one. */
  token?: Claims;
  /** What it says beside the token; by default nothing but who it is. */
  userinfo?: Claims;
  /** How the token is signed; by default with the key that it publishes. */
  signature?: 'another key' | 'the secret of the client' | 'none';
}

export interface HostileProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Sends somebody back to where they are to go, and answers what it is told to whoever asks about them. */
  visit(url: string, says: Says): string;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that speaks the protocol, and says whatever it is told to. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const [clientId, clientSecret] = ['parley', 'a secret that the two of them know'];
  const own = await generateKeyPair('RS256', { extractable: true });
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'a', alg: 'RS256', use: 'sig' };
  const visits: { nonce: string | null; says: Says }[] = [];

  async function tokenOf({ nonce, says: { token = {}, signature } }: (typeof visits)[number]) {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: issuer, aud: clientId, iat: now, exp: now + 300, sub: 'somebody', nonce };
    const claims = JSON.parse(JSON.stringify({ ...good, ...token })) as Claims;
    if (signature === 'none') return `${base64({ alg: 'none' })}.${base64(claims)}.`;
    if (signature === 'the secret of the client') {
      const signed = `${base64({ alg: 'HS256' })}.${base64(claims)}`;
      return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`;
    }
    const { privateKey } = signature === 'another key' ? other : own;
    return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'a' }).sign(privateKey);
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });

  async function answer(request: IncomingMessage): Promise<object> {
    if (request.url === '/.well-known/openid-configuration') return metadata();
    if (request.url === '/jwks') return { keys: [jwk] };
    if (request.url === '/userinfo') {
      const visit = visits[Number(request.headers.authorization?.replace(/^Bearer /, ''))];
      return { sub: visit?.says.token?.['sub'] ?? 'somebody', ...visit?.says.userinfo };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
    const visit = visits[Number(code)];
    if (!visit) return { error: 'invalid_grant' };
    return { access_token: code, token_type: 'Bearer', id_token: await tokenOf(visit) };
  }

  const server = createServer((request, response: ServerResponse) => {
    void answer(request).then((body) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    clientId,
    clientSecret,
    visit(url, says) {
      const { searchParams } = new URL(url);
      const code = visits.push({ nonce: searchParams.get('nonce'), says }) - 1;
      return `${searchParams.get('redirect_uri')}?code=${code}&state=${searchParams.get('state')}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
