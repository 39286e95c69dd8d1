import { type ArchivePlace, type PlainReasonCode, limits } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import {
  type ForeignFile,
  type ForeignMessage,
  type ForeignReaction,
  resolveReferences,
} from '../foreign.ts';
import type { GivenFiles } from '../given-files.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import { link, mentionAll } from '../markup.ts';
import type { Organization } from '../organization.ts';
import { because } from '../reasons.ts';
import { cleanText, isTime, titleOf } from '../texts.ts';
import type { ZipFiles } from '../zip-files.ts';
import { ofAttachment, ofBlocks } from './blocks.ts';
import { filesOf } from './days.ts';
import type { EmojiFinder } from './emoji.ts';
import { ofMrkdwn } from './mrkdwn.ts';
import { nameOf } from './people.ts';
import type { SlackPlace } from './places.ts';

/** Messages that Slack writes itself, and what they say. */
const serviceMessages: Readonly<Record<string, PlainReasonCode>> = {
  tombstone: 'deleted_with_replies',
  message_deleted: 'record_of_deletion',
  message_changed: 'record_of_change',
  message_replied: 'record_of_reply',
};
const notices =
  /^(?:(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private|convert_to_public)|bot_(?:add|remove|enable|disable)|(?:un)?pinned_item|reminder_(?:add|delete)|sh_room_\w+|huddle_thread|joiner_notification\w*|app_conversation_\w+|assistant_app_thread|channel_canvas_updated|tabbed_canvas_updated)$/;

interface Reading {
  organization: Organization;
  places: ReadonlyMap<string, SlackPlace>;
  emoji: EmojiFinder;
  given: GivenFiles;
  zip: ZipFiles;
  root: string;
}

/** Reads the messages of a workspace, a day of a channel at a time. */
export class MessageReader {
  readonly #reading: Reading;
  readonly #uploads: ReadonlyMap<string, string>;

  constructor(reading: Reading) {
    this.#reading = reading;
    const uploads = new Map<string, string>();
    for (const path of reading.zip.paths) {
      const [, id] = /(?:^|\/)__uploads\/([^/]+)\/[^/]+$/.exec(path) ?? [];
      if (id !== undefined) uploads.set(id, path);
    }
    this.#uploads = uploads;
  }

  /** @throws ArchiveRefused for a message without a time */
  async addAll(path: string, folder: string, messages: readonly unknown[]): Promise<void> {
    const { organization, places } = this.#reading;
    const place = places.get(folder);
    if (!place) return organization.tally.leaveOut('messages', 'no_channel', messages.length);
    for (const [index, message] of messages.entries()) {
      const where = { path, message: index + 1 };
      if (!isObject(message)) throw refused('no_object', where);
      const read = this.#read(message, place, where);
      if (read) await organization.addMessage(read);
    }
  }

  #read(message: Json, place: SlackPlace, where: ArchivePlace): ForeignMessage | undefined {
    const { tally } = this.#reading.organization;
    const ts = stringOf(message['ts']);
    const at = microsOf(ts);
    if (at === undefined) throw refused('no_time', where);
    const subtype = stringOf(message['subtype']);
    const service = Object.hasOwn(serviceMessages, subtype) ? serviceMessages[subtype] : undefined;
    if (service !== undefined || notices.test(subtype)) {
      tally.leaveOut(
        'messages',
        service ?? because('notice', { product: 'Slack', type: subtype.slice(0, 60) }),
      );
      return undefined;
    }
    const sender = this.#senderOf(message);
    const { text, files } = this.#contentOf(message);
    if (text === '' && files.length === 0) {
      tally.leaveOut('messages', 'nothing_shown');
      return undefined;
    }
    const shownText = sender.prefix + (subtype === 'me_message' ? `/me ${text}` : text);
    return {
      key: ts,
      at,
      place: place.key,
      thread: this.#threadOf(message, ts, text, files),
      sender: sender.key,
      text: shownText,
      ...(text.includes(mentionAll) && { mentionsAll: true }),
      editedAt: isObject(message['edited']) ? microsOf(stringOf(message['edited']['ts'])) : undefined,
      ...(message['reactions'] !== undefined && { reactions: this.#reactionsOf(message) }),
      ...(place.pins.has(ts) && { starredBy: place.pins.get(ts) ?? [] }),
      ...(files.length > 0 && { files }),
    };
  }

  #threadOf(
    message: Json,
    ts: string,
    text: string,
    files: readonly ForeignFile[],
  ): ForeignMessage['thread'] {
    const thread = stringOf(message['thread_ts']);
    if (thread === '') return undefined;
    // A message to which nobody replied has no thread, whatever it says.
    if (thread === ts && message['reply_count'] === 0) return undefined;
    if (stringOf(message['subtype']) === 'thread_broadcast') {
      this.#reading.organization.tally.change('messages', 'also_in_channel');
    }
    const root = isObject(message['root']) ? ofMrkdwn(stringOf(message['root']['text'])) : '';
    const words = this.#plain(root) || this.#plain(text) || (files[0]?.name ?? '');
    return { key: thread, title: words || 'Thread' };
  }

  /** Returns the first words of a text, with the names of those whom it mentions as far as they are known. */
  #plain(text: string): string {
    const { people, channels } = this.#reading.organization;
    const named = resolveReferences(text.slice(0, 1000), (what, key) =>
      what === 'person' ? `@${people.find(key)?.name ?? key}` : `#${channels.get(key)?.name ?? key}`,
    );
    return titleOf(named);
  }

  /** Returns who wrote a message; an app that writes under another name is named in front of its text. */
  #senderOf(message: Json): { key: string; prefix: string } {
    const { organization } = this.#reading;
    const user = cleanText(stringOf(message['user']));
    const bot = cleanText(stringOf(message['bot_id']));
    const profile = message['user_profile'];
    if (user !== '' && (organization.people.find(user) || bot === '')) {
      const name = isObject(profile) ? nameOf(profile, {}) : '';
      if (!organization.people.find(user) && name !== '') this.#addStranger(user, name);
      organization.needPerson(user);
      return { key: user, prefix: '' };
    }
    const about = isObject(message['bot_profile']) ? message['bot_profile'] : {};
    const alias = cleanText(stringOf(message['username'])).trim();
    const name = alias || cleanText(stringOf(about['name'])).trim() || bot || 'An app';
    const key = `bot ${bot || user || name}`;
    organization.needPerson(key, { name, isBot: true });
    const known = organization.people.find(key)?.name;
    if (alias === '' || alias === known) return { key, prefix: '' };
    organization.tally.change('messages', 'other_name');
    return { key, prefix: `**${alias.replaceAll('*', '')}**: ` };
  }

  #addStranger(key: string, name: string): void {
    const { people, tally } = this.#reading.organization;
    people.add({ key, name, isActive: false, role: 'guest' });
    tally.change('people', 'person_outside');
  }

  #contentOf(message: Json): { text: string; files: ForeignFile[] } {
    const written = ofBlocks(message['blocks']) || ofMrkdwn(stringOf(message['text']));
    const attached = listOf(message['attachments']).flatMap((attachment) => {
      if (!isObject(attachment)) return [];
      // The preview of a page is made anew, and what was shared is where it was.
      if (attachment['from_url'] !== undefined || attachment['original_url'] !== undefined) return [];
      return [ofAttachment(attachment)];
    });
    const { files, links } = this.#filesOf(message);
    return { text: [written, ...attached, ...links].filter(Boolean).join('\n\n'), files };
  }

  #filesOf(message: Json): { files: ForeignFile[]; links: string[] } {
    const { tally } = this.#reading.organization;
    const files: ForeignFile[] = [];
    const links: string[] = [];
    for (const file of filesOf(message)) {
      const given = this.#givenFile(file);
      const url = cleanText(stringOf(file['url_private']) || stringOf(file['permalink']));
      if (given) files.push(given);
      else if (file['mode'] === 'tombstone' || url === '') tally.leaveOut('files', 'file_hidden');
      else {
        tally.leaveOut('files', 'file_linked');
        links.push(link(titleOfFile(file), url));
      }
    }
    return { files, links };
  }

  #givenFile(file: Json): ForeignFile | undefined {
    const { given, zip, organization } = this.#reading;
    const key = stringOf(file['id']);
    const inZip = this.#uploads.get(key);
    const found = given.find(key);
    const bytes = found?.bytes ?? (inZip === undefined ? undefined : zip.bytesOf(inZip));
    if (key === '' || bytes === undefined) return undefined;
    if (bytes > limits.uploadMebibytes * 1024 * 1024) {
      organization.tally.leaveOut('files', because('file_too_large', { mebibytes: limits.uploadMebibytes }));
      return undefined;
    }
    const place = found ? `disk:${found.path}` : `zip:${inZip}`;
    return { key, name: titleOfFile(file), type: stringOf(file['mimetype']), bytes, place };
  }

  #reactionsOf(message: Json): ForeignReaction[] {
    return listOf(message['reactions']).flatMap((reaction) => {
      if (!isObject(reaction)) return [];
      const users = listOf(reaction['users']).map(stringOf).filter(Boolean);
      return [{ emoji: this.#reading.emoji(stringOf(reaction['name'])), users }];
    });
  }
}

const titleOfFile = (file: Json): string =>
  cleanText(stringOf(file['name']) || stringOf(file['title']))
    .replaceAll(/\s+/g, ' ')
    .trim() || 'file';

/** Returns a time of Slack in millionths of a second. */
function microsOf(ts: string): number | undefined {
  const [, seconds, micros] = /^(\d{1,12})\.(\d{6})$/.exec(ts) ?? [];
  const at = Number(seconds) * 1_000_000 + Number(micros);
  return isTime(at) ? at : undefined;
}
