import type { ArchivePlace } from '@parley/protocol';

import { refused } from '../../read/refused.ts';
import { customEmojiName, pictureExtension } from '../emoji.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import { cleanText } from '../texts.ts';
import type { ZipFiles } from '../zip-files.ts';
import { PostReader } from './posts.ts';

/** Where people are members, as it is found: channels come before people. */
type Members = string[];

/** Reads the lines of a bulk export, in the order in which they stand. */
export class LineReader {
  readonly #organization: Organization;
  readonly #zip: ZipFiles | undefined;
  readonly #teams = new Map<string, string>();
  readonly #members = new Map<string, Members>();
  readonly #posts: PostReader;

  constructor(organization: Organization, zip: ZipFiles | undefined) {
    this.#organization = organization;
    this.#zip = zip;
    this.#posts = new PostReader(organization, zip);
  }

  async read(line: Json, number: number, where: ArchivePlace): Promise<void> {
    const type = stringOf(line['type']);
    const content = line[type];
    if (type === 'version' || type === 'scheme' || type === 'role') return;
    if (!isObject(content)) throw refused('unknown_kind', { ...where, kind: type.slice(0, 40) });
    switch (type) {
      case 'team':
        this.#teams.set(
          stringOf(content['name']),
          stringOf(content['display_name']) || stringOf(content['name']),
        );
        return;
      case 'channel':
        return this.#addChannel(content);
      case 'user':
        return this.#addUser(content);
      case 'bot':
        return this.#addBot(content);
      case 'emoji':
        return await this.#addEmoji(content);
      case 'direct_channel':
        this.#posts.conversationOf(membersOf(content));
        return;
      case 'post':
      case 'direct_post':
        return await this.#posts.add(content, number, where);
      default:
        throw refused('unknown_kind', { ...where, kind: type.slice(0, 40) });
    }
  }

  #addChannel(channel: Json): void {
    const [team, name] = [stringOf(channel['team']), stringOf(channel['name'])];
    const key = keyOfChannel(team, name);
    if (this.#organization.channels.has(key)) return;
    const members: Members = [];
    this.#members.set(key, members);
    const own = cleanText(stringOf(channel['display_name'])).trim() || name;
    const about = [channel['purpose'], channel['header']].map(stringOf).filter(Boolean);
    this.#organization.addChannel({
      key,
      // Channels of several teams are told apart by the teams' names.
      name: this.#teams.size > 1 ? `${this.#teams.get(team) ?? team}: ${own}` : own,
      description: cleanText([...new Set(about)].join(' – ')),
      isPrivate: channel['type'] === 'P',
      isArchived: isTimeSet(channel['deleted_at']) || isTimeSet(channel['delete_at']),
      isDefault: name === 'town-square',
      members,
    });
  }

  #addUser(user: Json): void {
    const key = stringOf(user['username']).toLowerCase();
    if (key === '' || this.#organization.people.find(key)) return;
    const roles = stringOf(user['roles']).split(' ');
    const full = `${stringOf(user['first_name'])} ${stringOf(user['last_name'])}`.trim();
    const isGuest = roles.includes('system_guest');
    const person = {
      key,
      name: cleanText(full || stringOf(user['nickname']) || key),
      email: stringOf(user['email']),
      role: roles.includes('system_admin')
        ? ('owner' as const)
        : isGuest
          ? ('guest' as const)
          : ('member' as const),
      isActive: !isTimeSet(user['delete_at']),
      isBot: user['is_bot'] === true,
    };
    this.#organization.people.add(person);
    if (stringOf(user['profile_image']) !== '') {
      this.#organization.tally.change(person.isBot ? 'bots' : 'people', 'avatar_not_taken');
    }
    for (const team of listOf(user['teams']).filter(isObject)) {
      for (const channel of listOf(team['channels']).filter(isObject)) {
        this.#members.get(keyOfChannel(stringOf(team['name']), stringOf(channel['name'])))?.push(key);
      }
    }
  }

  #addBot(bot: Json): void {
    const key = stringOf(bot['username']).toLowerCase();
    if (key === '' || this.#organization.people.find(key)) return;
    const name = cleanText(stringOf(bot['display_name'])) || key;
    this.#organization.people.add({ key, name, isBot: true, isActive: !isTimeSet(bot['delete_at']) });
  }

  async #addEmoji(emoji: Json): Promise<void> {
    const { tally } = this.#organization;
    const name = customEmojiName(stringOf(emoji['name']));
    const content = await readPicture(this.#zip, stringOf(emoji['image']));
    const extension = content && pictureExtension(content);
    if (name === undefined) return tally.leaveOut('emoji', 'emoji_name');
    if (!content || extension === undefined) return tally.leaveOut('emoji', 'emoji_not_there');
    this.#organization.addEmoji({ name, extension, content });
  }
}

/** The largest picture of an emoji at Mattermost. */
const pictureBytesMax = 512 * 1024;

async function readPicture(zip: ZipFiles | undefined, path: string): Promise<Buffer | undefined> {
  const place = zip && findFile(zip, path);
  if (!zip || place === undefined || (zip.bytesOf(place) ?? 0) > pictureBytesMax) return undefined;
  return await zip.readWhole(place);
}

/** Returns where a file lies in an archive; undefined if it is not there. */
const findFile = (zip: ZipFiles, path: string): string | undefined =>
  [`data/${path}`, path].find((place) => zip.bytesOf(place) !== undefined);

const keyOfChannel = (team: string, name: string): string => `${team}/${name}`;

const isTimeSet = (value: unknown): boolean => typeof value === 'number' && value > 0;

/** Returns the user names of the members of a direct conversation. */
function membersOf(conversation: Json): string[] {
  const participants = listOf(conversation['participants']).flatMap((one) =>
    isObject(one) ? [stringOf(one['username'])] : [],
  );
  return participants.length > 0 ? participants : listOf(conversation['members']).map(stringOf);
}
