import type { Readable } from 'node:stream';

import { refused } from '../../read/refused.ts';
import { openGiven } from '../given-files.ts';
import { isObject, listOf } from '../json.ts';
import type { OpenArchive, ReadOptions, Source } from '../source.ts';
import { ZipFiles } from '../zip-files.ts';
import { daysOf, slackRoot } from './days.ts';
import { readEmoji } from './emoji.ts';
import { MessageReader } from './messages.ts';
import { addPeople } from './people.ts';
import { addPlaces } from './places.ts';

async function read(options: ReadOptions): Promise<OpenArchive> {
  const zip = await ZipFiles.open(options.archive);
  try {
    await readAll(zip, options);
  } catch (error) {
    zip[Symbol.dispose]();
    throw error;
  }
  return {
    openFile: async (place) => await openPlace(zip, place),
    [Symbol.dispose]: () => zip[Symbol.dispose](),
  };
}

async function readAll(zip: ZipFiles, { organization, given, onProgress }: ReadOptions): Promise<void> {
  const root = slackRoot(zip.paths);
  if (root === undefined) throw refused('file_missing', { path: 'users.json' });
  const readList = async (name: string) => {
    const content = await zip.readJson(`${root}${name}`);
    if (content !== undefined && !Array.isArray(content)) throw refused('no_list', { path: root + name });
    return listOf(content).filter(isObject);
  };
  addPeople(organization, [...(await readList('org_users.json')), ...(await readList('users.json'))]);
  const places = await addPlaces(organization, readList);
  const emoji = await readEmoji(organization, given, await zip.readJson(`${root}emoji.json`));
  const reader = new MessageReader({ organization, places, emoji, given, zip, root });
  let count = 0;
  const days = daysOf(zip.paths, root);
  for (const [index, { path, folder }] of days.entries()) {
    const content = await zip.readJson(path);
    if (!Array.isArray(content)) throw refused('no_list', { path });
    await reader.addAll(path, folder, content);
    count += content.length;
    onProgress({ messages: count, done: index + 1, of: days.length });
  }
}

async function openPlace(zip: ZipFiles, place: string): Promise<Readable> {
  if (place.startsWith('disk:')) return openGiven(place.slice('disk:'.length));
  const content = await zip.open(place.slice('zip:'.length));
  if (!content) throw refused('file_missing', { path: place });
  return content;
}

/** The exports of Slack, of all plans: a ZIP file with a folder for each channel and a file for each day. */
export const slack: Source = { name: 'slack', domain: 'slack.invalid', client: 'Slack', read };
