import { request } from 'undici';

import type { Organization } from './organizations.ts';

const filesMax = 20;
const fileText = 'What somebody has uploaded. '.repeat(400);

/** Posts a form as somebody, before the load begins. */
async function post(
  baseUrl: string,
  { host, accounts }: Organization,
  account: number,
  path: string,
  body: FormData | Record<string, string>,
): Promise<Record<string, unknown>> {
  // undici does not end a form of files on every version of Node.
  const encoded = new Response(body instanceof FormData ? body : new URLSearchParams(body));
  const reply = await request(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: {
      host,
      authorization: accounts[account]?.authorization ?? '',
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`POST ${path}: ${reply.statusCode} ${text.slice(0, 200)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Uploads a file in each of the first organizations, and returns where their owners ask for them. */
export async function uploadFiles(baseUrl: string, organizations: readonly Organization[]) {
  return await Promise.all(
    organizations.slice(0, filesMax).map(async (organization, index) => {
      const form = new FormData();
      form.set('file', new Blob([fileText]), 'notes.txt');
      const { url } = await post(baseUrl, organization, 0, '/user_uploads', form);
      return { organization: index, account: 0, path: String(url) };
    }),
  );
}

/** Sends long messages to the first channel, so that whoever asks for all of them gets a long reply. */
export async function sendBacklog(baseUrl: string, organization: Organization, count: number): Promise<void> {
  const [channel] = organization.channels;
  const content = 'a long message '.repeat(600);
  for (let sent = 0; sent < count; sent += 1) {
    const fields = {
      type: 'channel',
      to: String(channel?.id),
      topic: 'backlog',
      content: `${content}${sent}`,
    };
    await post(baseUrl, organization, 0, '/messages', fields);
  }
}
