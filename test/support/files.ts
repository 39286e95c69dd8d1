import type { SentFile } from './http.ts';
import type { Person } from './person.ts';
import { succeed } from './replies.ts';

export const text = (content: string, name = 'notes.txt'): SentFile => ({
  name,
  content,
  type: 'text/plain',
});

/** Uploads a file; answers with its address. */
export async function upload(by: Person, file: SentFile = text('some notes')): Promise<string> {
  return (await succeed(by.upload('/user_uploads', [file]).then(({ body }) => body))).url;
}

/** A file in the text of a message: what is not a link ties nothing to it. */
export const linkTo = (url: string) => `[a file](${url})`;

/** Whether the person gets what lies at an address. */
export const statusFor = async (person: Person, url: string) => (await person.fetch(url)).status;
