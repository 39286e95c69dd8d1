import { limits } from '@parley/protocol';

import { openGiven } from '../given-files.ts';
import type { OpenArchive, ReadOptions, Source } from '../source.ts';
import { Dump, type Reading } from './dump.ts';
import { addEmoji } from './emoji.ts';
import { GridFiles } from './grid-files.ts';
import { MessageReader, wantedOfMessages } from './messages.ts';
import { addPeople } from './people.ts';
import { addRooms } from './rooms.ts';

async function read(options: ReadOptions): Promise<OpenArchive> {
  const dump = await Dump.open(options.archive);
  try {
    const uploads = await readAll(dump, options);
    return {
      openFile: async (place) =>
        place.startsWith('disk:')
          ? openGiven(place.slice('disk:'.length))
          : uploads.open(place.slice('grid:'.length)),
      [Symbol.dispose]: () => dump[Symbol.dispose](),
    };
  } catch (error) {
    dump[Symbol.dispose]();
    throw error;
  }
}

async function readAll(dump: Dump, { organization, given, onProgress }: ReadOptions): Promise<GridFiles> {
  const usernames = await addPeople(organization, dump);
  const rooms = await addRooms(organization, dump, usernames);
  const emoji = await addEmoji(organization, dump);
  const uploads = await GridFiles.read({
    dump,
    bucket: 'rocketchat_uploads',
    bytesMax: limits.uploadMebibytes * 1024 * 1024,
    // A plan only counts.
    isWritten: organization.messages !== null,
  });
  const reader = new MessageReader({ organization, rooms, usernames, emoji, uploads, given });
  const reading: Reading = { done: 0, of: 0 };
  let messages = 0;
  for await (const batch of dump.read('rocketchat_message', wantedOfMessages, reading)) {
    for (const found of batch) await reader.add(found);
    messages += batch.length;
    onProgress({ messages, ...reading });
  }
  return uploads;
}

/** The database of Rocket.Chat, as mongodump writes it: a folder, a ZIP or tar file of it, or one file. */
export const rocketChat: Source = {
  name: 'rocketchat',
  domain: 'rocketchat.invalid',
  client: 'Rocket.Chat',
  read,
};
