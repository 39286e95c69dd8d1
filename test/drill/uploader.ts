import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { pause } from '@parley/kit';
import { request } from 'undici';

import type { ChaosRealm, Member } from '../chaos/chaos-realm.ts';

/** A file that somebody has sent and that was acknowledged. */
export interface AcknowledgedUpload {
  member: Member;
  url: string;
  digest: string;
  startedMs: number;
  endedMs: number;
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const bytesMax = 20_000;

/** Uploads a file. Returns null if that is not acknowledged. */
async function uploadOne(baseUrl: string, member: Member): Promise<AcknowledgedUpload | null> {
  const startedMs = Date.now();
  const bytes = randomBytes(1 + Math.floor(Math.random() * bytesMax));
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'notes.txt');
  // undici does not end a form of files on every version of Node.
  const encoded = new Response(form);
  const reply = await request(`${baseUrl}/api/v1/user_uploads`, {
    method: 'POST',
    headers: {
      host: 'localhost',
      authorization: member.authorization,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) return null;
  const { url } = JSON.parse(text) as { url: string };
  return { member, url, digest: digestOf(bytes), startedMs, endedMs: Date.now() };
}

/** Uploads files one after the other, at a steady rate until the signal aborts or there are so many. */
export async function uploadSteadily(
  baseUrl: string,
  { members }: ChaosRealm,
  {
    perSecond,
    signal,
    max = Number.POSITIVE_INFINITY,
  }: { perSecond: number; signal: AbortSignal; max?: number },
  uploads: AcknowledgedUpload[],
): Promise<void> {
  const until = uploads.length + max;
  for (let number = 0; !signal.aborted && uploads.length < until; number += 1) {
    const member = members[number % members.length];
    const upload = member && (await uploadOne(baseUrl, member).catch(() => null));
    if (upload) uploads.push(upload);
    await pause(1000 / perSecond, signal);
  }
}

/** Where the file store has a file. */
export const pathOf = ({ url }: AcknowledgedUpload): string => join('uploads', ...url.split('/').slice(2, 4));

/** Whether a file is there as it was sent. */
type Found = 'present' | 'lost' | 'damaged';

/** Asks for a file as whoever has sent it. */
export async function findUpload(baseUrl: string, upload: AcknowledgedUpload): Promise<Found> {
  const { authorization } = upload.member;
  const reply = await request(`${baseUrl}${upload.url}`, { headers: { host: 'localhost', authorization } });
  const bytes = new Uint8Array(await reply.body.arrayBuffer());
  if (reply.statusCode !== 200) return 'lost';
  return digestOf(bytes) === upload.digest ? 'present' : 'damaged';
}
