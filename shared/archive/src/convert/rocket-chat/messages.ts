import { type PlainReasonCode, limits } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import { type ForeignFile, type ForeignMessage, type ForeignReaction } from '../foreign.ts';
import type { GivenFiles } from '../given-files.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import { mentionAll } from '../markup.ts';
import type { Organization } from '../organization.ts';
import { type Why, because } from '../reasons.ts';
import { cleanText, plainTitleOf } from '../texts.ts';
import { ofAttachments } from './attachments.ts';
import type { Found } from './documents.ts';
import type { EmojiFinder } from './emoji.ts';
import type { GridFiles } from './grid-files.ts';
import { type Usernames, nameOf } from './people.ts';
import type { RoomPlace, RoomPlaceOrReason, Rooms } from './rooms.ts';
import { type Names, ofRocketChat } from './text.ts';
import { microsOf } from './times.ts';

/** What is read of a message. Rocket.Chat has its text a second time, as a tree. */
export const wantedOfMessages: ReadonlySet<string> = new Set(
  '_id rid msg ts u t tmid tcount tshow _hidden alias attachments file files reactions starred pinned pinnedBy editedAt'.split(
    ' ',
  ),
);

/** Kinds of messages that are left out for another reason than that Rocket.Chat wrote them itself. */
const withoutText: Readonly<Record<string, PlainReasonCode>> = {
  rm: 'deleted',
  e2e: 'encrypted_text',
  otr: 'encrypted_text',
  'otr-ack': 'encrypted_text',
};

export interface Reading {
  organization: Organization;
  rooms: Rooms;
  usernames: Usernames;
  emoji: EmojiFinder;
  uploads: GridFiles;
  given: GivenFiles;
}

/** Reads the messages of a server, in whichever order they come. */
export class MessageReader {
  readonly #reading: Reading;
  readonly #names: Names;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { usernames, rooms, emoji } = reading;
    this.#names = {
      person: (name) => usernames.get(name),
      channel: (name) => rooms.names.get(name),
      emoji: (name) => {
        const found = emoji(name);
        return 'custom' in found && found.custom !== '' ? found.custom : undefined;
      },
    };
  }

  /** @throws ArchiveRefused for a message without a time */
  async add({ document, where }: Found): Promise<void> {
    const { organization, rooms } = this.#reading;
    const at = microsOf(document['ts']);
    if (at === undefined) throw refused('no_time', where());
    const room = rooms.places.get(stringOf(document['rid']));
    const leftOut = reasonAgainst(document, room);
    if (leftOut !== undefined) return organization.tally.leaveOut('messages', leftOut);
    if (!room || 'leftOut' in room) return;
    const message = this.#read(document, at, room);
    if (message) await organization.addMessage(message);
    else organization.tally.leaveOut('messages', 'nothing_shown');
  }

  #read(message: Json, at: number, room: RoomPlace): ForeignMessage | undefined {
    const { tally } = this.#reading.organization;
    const { files, missing } = this.#filesOf(message);
    const textOf = (raw: string) => ofRocketChat(raw, this.#names);
    const { quotes, others } = ofAttachments(message['attachments'], textOf);
    const written = [...quotes, textOf(stringOf(message['msg'])), ...others, ...missing];
    const text = written.filter(Boolean).join('\n\n');
    if (text === '' && files.length === 0) return undefined;
    const sender = this.#senderOf(message);
    if (message['tshow'] === true) tally.change('messages', 'also_in_channel');
    const stars = this.#starsOf(message);
    return {
      key: stringOf(message['_id']),
      at,
      place: room.place,
      thread: this.#threadOf(message, text, files) ?? room.thread,
      sender: sender.key,
      text: sender.prefix + text,
      ...(text.includes(mentionAll) && { mentionsAll: true }),
      editedAt: microsOf(message['editedAt']),
      ...(isObject(message['reactions']) && { reactions: this.#reactionsOf(message['reactions']) }),
      ...(stars.length > 0 && { starredBy: stars }),
      ...(files.length > 0 && { files }),
    };
  }

  #threadOf(message: Json, text: string, files: readonly ForeignFile[]): ForeignMessage['thread'] {
    const [key, parent] = [stringOf(message['_id']), stringOf(message['tmid'])];
    const isRoot = Number(message['tcount'] ?? 0) > 0;
    if (parent === '' && !isRoot) return undefined;
    const { people, channels } = this.#reading.organization;
    const words = plainTitleOf(text, (what, who) =>
      what === 'person' ? `@${people.find(who)?.name ?? who}` : `#${channels.get(who)?.name ?? who}`,
    );
    return { key: parent === '' ? key : parent, title: words || (files[0]?.name ?? 'Thread') };
  }

  /** Returns who wrote a message; who writes under another name is named in front of its text. */
  #senderOf({ u: user, alias }: Json): { key: string; prefix: string } {
    const { organization } = this.#reading;
    const about = isObject(user) ? user : {};
    const key = stringOf(about['_id']) || 'nobody';
    const known = organization.people.find(key);
    if (!known) {
      const name = nameOf(about);
      if (name === '') organization.needPerson(key);
      else {
        organization.people.add({ key, name, isActive: false });
        organization.tally.change('people', 'person_unlisted');
      }
    }
    const shown = cleanText(stringOf(alias)).replaceAll(/[*\n]/g, ' ').trim();
    if (shown === '' || shown === known?.name) return { key, prefix: '' };
    organization.tally.change('messages', 'other_name');
    return { key, prefix: `**${shown}**: ` };
  }

  #starsOf({ starred, pinned, pinnedBy }: Json): string[] {
    const keys = listOf(starred).map((one) => (isObject(one) ? stringOf(one['_id']) : ''));
    if (pinned === true) {
      const pinner = isObject(pinnedBy) ? stringOf(pinnedBy['_id']) : '';
      keys.push(pinner);
      if (pinner === '') this.#reading.organization.tally.change('messages', 'pinned');
    }
    return [...new Set(keys.filter(Boolean))];
  }

  #reactionsOf(reactions: Json): ForeignReaction[] {
    const { usernames, emoji, organization } = this.#reading;
    return Object.entries(reactions).flatMap(([name, reaction]) => {
      const all = isObject(reaction) ? listOf(reaction['usernames']).map(stringOf) : [];
      const users = all.flatMap((username) => usernames.get(username.toLowerCase()) ?? []);
      organization.tally.leaveOut('reactions', 'reaction_people', all.length - users.length);
      const found = emoji(name);
      if ('code' in found || organization.emoji.has(found.custom)) return [{ emoji: found, users }];
      organization.tally.leaveOut('reactions', 'reaction_picture', users.length);
      return [];
    });
  }

  /** Returns the files of a message, and the names of those that are not there. Smaller pictures of them are made anew. */
  #filesOf(message: Json): { files: ForeignFile[]; missing: string[] } {
    const listed = listOf(message['files']).filter(isObject);
    const one = isObject(message['file']) ? [message['file']] : [];
    const files: ForeignFile[] = [];
    const missing: string[] = [];
    for (const file of listed.length > 0 ? listed : one) {
      if (file['typeGroup'] === 'thumb') continue;
      const name = cleanText(stringOf(file['name'])).replaceAll(/\s+/g, ' ').trim() || 'file';
      const found = this.#findFile(stringOf(file['_id']), name, stringOf(file['type']));
      if (found) files.push(found);
      else missing.push(`*${name.replaceAll(/[*\\`]/g, ' ')}*`);
    }
    return { files, missing };
  }

  #findFile(key: string, name: string, type: string): ForeignFile | undefined {
    const { uploads, given, organization } = this.#reading;
    const [stored, inFolder] = [uploads.find(key), given.find(key)];
    const bytes = stored?.bytes ?? inFolder?.bytes;
    const said = bytes ?? uploads.bytesOf(key);
    if (said !== undefined && said > limits.uploadMebibytes * 1024 * 1024) {
      organization.tally.leaveOut('files', because('file_too_large', { mebibytes: limits.uploadMebibytes }));
      return undefined;
    }
    if (key === '' || bytes === undefined) {
      organization.tally.leaveOut('files', said === undefined ? 'file_not_given' : 'file_in_part');
      return undefined;
    }
    const place = stored ? `grid:${key}` : `disk:${inFolder?.path}`;
    return { key, name, type, bytes, place };
  }
}

/** Returns why a message is left out; undefined if it is not. */
function reasonAgainst(message: Json, room: RoomPlaceOrReason | undefined): Why | undefined {
  if (!room) return 'no_room';
  if ('leftOut' in room) return room.leftOut;
  if (message['_hidden'] === true) return 'earlier_text';
  const type = stringOf(message['t']);
  if (type === '') return undefined;
  return (
    (Object.hasOwn(withoutText, type) ? withoutText[type] : undefined) ??
    because('notice', { product: 'Rocket.Chat', type: type.slice(0, 60) })
  );
}
