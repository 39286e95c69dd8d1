import { type ArchivePlace, limits } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import { customEmojiName, emojiCodeOf } from '../emoji.ts';
import type { ForeignFile, ForeignMessage, ForeignReaction } from '../foreign.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import { because } from '../reasons.ts';
import { cleanText, isTime, plainTitleOf } from '../texts.ts';
import type { ZipFiles } from '../zip-files.ts';
import { type Names, ofMattermost } from './text.ts';

/** Where a post and its replies are. */
interface Position {
  place: string;
  thread: string | undefined;
  title: string;
  names: Names;
}

/** Reads posts with their replies. */
export class PostReader {
  readonly #organization: Organization;
  readonly #zip: ZipFiles | undefined;

  constructor(organization: Organization, zip: ZipFiles | undefined) {
    this.#organization = organization;
    this.#zip = zip;
  }

  /** Returns the key of the direct conversation of some people. */
  conversationOf(usernames: readonly string[]): string {
    const members = [...new Set(usernames.map((name) => name.toLowerCase()))].filter(Boolean).sort();
    const key = `direct ${members.join(' ')}`;
    if (!this.#organization.conversations.has(key)) {
      for (const member of members) this.#needPerson(member);
      this.#organization.addConversation(key, members);
    }
    return key;
  }

  /** @throws ArchiveRefused for a post without a time */
  async add(post: Json, number: number, where: ArchivePlace): Promise<void> {
    const replies = listOf(post['replies']).filter(isObject);
    const members = post['channel_members'];
    const team = stringOf(post['team']);
    const place = Array.isArray(members)
      ? this.conversationOf(members.map(stringOf))
      : `${team}/${stringOf(post['channel'])}`;
    if (!Array.isArray(members) && !this.#organization.channels.has(place)) {
      throw refused('unknown_channel', { ...where, channel: place.slice(0, 100) });
    }
    const position: Position = {
      place,
      thread: replies.length > 0 ? String(number) : undefined,
      title: '',
      names: this.#namesIn(team),
    };
    const all = [post, ...replies];
    for (const [index, one] of all.entries()) {
      const message = this.#read(one, position, `${number}.${index}`, where);
      if (message) await this.#organization.addMessage(message);
    }
  }

  #namesIn(team: string): Names {
    const { people, channels } = this.#organization;
    return {
      person: (name) => (people.find(name) ? name : undefined),
      channel: (name) => (channels.has(`${team}/${name}`) ? `${team}/${name}` : undefined),
    };
  }

  #read(post: Json, position: Position, key: string, where: ArchivePlace): ForeignMessage | undefined {
    const { tally } = this.#organization;
    const at = microsOf(post['create_at']);
    if (at === undefined) throw refused('no_time', where);
    const type = stringOf(post['type']);
    const isDeleted = Number(post['delete_at'] ?? post['deleted_at'] ?? 0) > 0;
    if (isDeleted || type.startsWith('system_')) {
      tally.leaveOut(
        'messages',
        isDeleted ? 'deleted' : because('notice', { product: 'Mattermost', type: type.slice(0, 60) }),
      );
      return undefined;
    }
    const { text, mentionsAll } = ofMattermost(stringOf(post['message']), position.names);
    const files = this.#filesOf(post);
    if (text === '' && files.length === 0) {
      tally.leaveOut('messages', 'nothing_shown');
      return undefined;
    }
    position.title ||= this.#titleOf(text) || (files[0]?.name ?? 'Thread');
    const sender = stringOf(post['user']).toLowerCase();
    this.#needPerson(sender);
    if (post['is_pinned'] === true) tally.change('messages', 'pinned');
    const stars = listOf(post['flagged_by']).map((name) => stringOf(name).toLowerCase());
    return {
      key,
      at,
      place: position.place,
      thread: position.thread === undefined ? undefined : { key: position.thread, title: position.title },
      sender,
      text: type === 'me' ? `/me ${text}` : text,
      ...(mentionsAll && { mentionsAll }),
      editedAt: microsOf(post['edit_at']),
      ...(Array.isArray(post['reactions']) && { reactions: this.#reactionsOf(post['reactions']) }),
      ...(stars.length > 0 && { starredBy: stars }),
      ...(files.length > 0 && { files }),
    };
  }

  #titleOf(text: string): string {
    const { people, channels } = this.#organization;
    return plainTitleOf(text, (what, key) =>
      what === 'person' ? `@${people.find(key)?.name ?? key}` : `#${channels.get(key)?.name ?? key}`,
    );
  }

  #needPerson(username: string): void {
    if (username !== '') this.#organization.needPerson(username);
  }

  #reactionsOf(reactions: readonly unknown[]): ForeignReaction[] {
    const users = new Map<string, string[]>();
    for (const reaction of reactions.filter(isObject)) {
      const name = stringOf(reaction['emoji_name']);
      users.set(name, [...(users.get(name) ?? []), stringOf(reaction['user']).toLowerCase()]);
    }
    return [...users].map(([name, who]) => {
      const own = customEmojiName(name);
      const isCustom = own !== undefined && this.#organization.emoji.has(own);
      const code = isCustom
        ? undefined
        : emojiCodeOf(name.replace(/_(?:light|medium|dark|medium_light|medium_dark)_skin_tone$/, ''));
      return { emoji: code === undefined ? { custom: own ?? '' } : { code }, users: who };
    });
  }

  #filesOf(post: Json): ForeignFile[] {
    const { tally } = this.#organization;
    return listOf(post['attachments'])
      .filter(isObject)
      .flatMap((attachment) => {
        const path = stringOf(attachment['path']);
        const place = [`data/${path}`, path].find((one) => this.#zip?.bytesOf(one) !== undefined);
        const bytes = place === undefined ? undefined : this.#zip?.bytesOf(place);
        if (place === undefined || bytes === undefined || bytes > limits.uploadMebibytes * 1024 * 1024) {
          const mebibytes = limits.uploadMebibytes;
          tally.leaveOut(
            'files',
            bytes === undefined ? 'file_not_there' : because('file_too_large', { mebibytes }),
          );
          return [];
        }
        const name = cleanText(path.split('/').at(-1) ?? '').trim() || 'file';
        return [{ key: path, name, type: typeOf(name), bytes, place }];
      });
  }
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
};

/** Returns the type of a file by its name: the archive does not say it. */
const typeOf = (name: string): string =>
  types[/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';

/** Returns a time in milliseconds as one in millionths of a second. */
function microsOf(ms: unknown): number | undefined {
  const at = typeof ms === 'number' ? ms * 1000 : Number.NaN;
  return isTime(at) ? at : undefined;
}
