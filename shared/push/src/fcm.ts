import { SignJWT, importPKCS8 } from 'jose';
import { z } from 'zod';

import {
  type Phone,
  type PushNotification,
  type PushOutcome,
  type ServiceClient,
  retryAfterMs,
  timeoutMs,
  unreachable,
} from './push-client.ts';

/** What is read of the JSON of a service account, as Google hands it out. */
export const ServiceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

export interface FcmOptions {
  url: string;
  account: z.output<typeof ServiceAccount>;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
const replyBytesMax = 64 * 1024;

const Grant = z.object({ access_token: z.string(), expires_in: z.number().default(3600) });

const ErrorReply = z.object({
  error: z.object({
    status: z.string().optional(),
    message: z.string().optional(),
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().optional() })).optional(),
        }),
      )
      .optional(),
  }),
});

/** Creates a client of Google's service. */
export function createFcmClient({ url, account }: FcmOptions): ServiceClient {
  const signingKey = importPKCS8(account.private_key, 'RS256');
  // Whoever sends meets the error.
  signingKey.catch(() => undefined);
  let granted: { token: Promise<string>; untilMs: number } | undefined;

  async function grant(): Promise<string> {
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await signingKey);
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    const { status, text } = await post(account.token_uri, {}, body);
    if (status !== 200) throw new Error(`No access was granted: ${status}`);
    const { access_token, expires_in } = Grant.parse(JSON.parse(text));
    if (granted) granted.untilMs = Date.now() + Math.max(expires_in - 60, 0) * 1000;
    return access_token;
  }

  function accessToken(): Promise<string> {
    if (granted && Date.now() < granted.untilMs) return granted.token;
    const asked = { token: grant(), untilMs: Date.now() + timeoutMs };
    granted = asked;
    asked.token.catch(() => {
      if (granted === asked) granted = undefined;
    });
    return asked.token;
  }

  async function send(
    { token }: Phone,
    { alert, fields, validSeconds }: PushNotification,
  ): Promise<PushOutcome> {
    const data = Object.fromEntries(Object.entries(fields.fcm).map(([name, value]) => [name, String(value)]));
    const android = { priority: alert ? 'HIGH' : 'NORMAL', ttl: `${validSeconds}s` };
    const headers = {
      Authorization: `Bearer ${await accessToken()}`,
      'Content-Type': 'application/json',
    };
    const address = `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`;
    const { status, text, retryAfter } = await post(
      address,
      headers,
      JSON.stringify({ message: { token, data, android } }),
    );
    if (status === 200) return { kind: 'sent' };
    if (status === 401) granted = undefined;
    const reason = `${status} ${errorIn(text).code}`;
    if (isGone(status, text)) return { kind: 'gone' };
    if (status !== 401 && status !== 429 && status < 500) return { kind: 'refused', reason };
    return { kind: 'later', isReached: true, retryAfterMs: retryAfterMs(retryAfter, Date.now()), reason };
  }

  return {
    send: (device, notification) => send(device, notification).catch(unreachable),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function errorIn(text: string): { code: string; fields: string[] } {
  try {
    const { error } = ErrorReply.parse(JSON.parse(text));
    const details = error.details ?? [];
    return {
      code: details.flatMap(({ errorCode }) => errorCode ?? [])[0] ?? error.status ?? '',
      fields: details.flatMap(({ fieldViolations = [] }) =>
        fieldViolations.flatMap(({ field }) => field ?? []),
      ),
    };
  } catch {
    return { code: '', fields: [] };
  }
}

/** Whether the service knows the device no more, never has, or not under this project. */
function isGone(status: number, text: string): boolean {
  const { code, fields } = errorIn(text);
  if (code === 'UNREGISTERED' || code === 'SENDER_ID_MISMATCH') return true;
  return status === 400 && fields.includes('message.token');
}

async function post(url: string, headers: Record<string, string>, body: string | URLSearchParams) {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs / 2),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await readText(response),
  };
}

/** The beginning of a body; what is longer is none of the service's replies. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > replyBytesMax) break;
  }
  return Buffer.concat(chunks).toString();
}
