import { type Json, isObject, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import type { Why } from '../reasons.ts';
import { cleanText } from '../texts.ts';
import type { Dump } from './dump.ts';
import type { Usernames } from './people.ts';
import { microsOf } from './times.ts';

const wantedOfRooms: ReadonlySet<string> = new Set(
  '_id t name fname topic description announcement archived default ro broadcast ts u uids usernames prid'.split(
    ' ',
  ),
);
const wantedOfSubscriptions: ReadonlySet<string> = new Set(['rid', 'u']);

/** How many discussions lie in each other. */
const depthMax = 20;

/** Where the messages of a room go. */
export interface RoomPlace {
  place: string;
  thread?: { key: string; title: string } | undefined;
}
export type RoomPlaceOrReason = RoomPlace | { leftOut: Why };

export interface Rooms {
  places: ReadonlyMap<string, RoomPlaceOrReason>;
  /** The keys of channels by the names that texts have for them. */
  names: ReadonlyMap<string, string>;
}

/** Adds the rooms of a server with their members: channels, discussions and direct conversations. */
export async function addRooms(organization: Organization, dump: Dump, usernames: Usernames): Promise<Rooms> {
  const adder = new RoomAdder(organization, usernames);
  const discussions: Json[] = [];
  for await (const batch of dump.read('rocketchat_room', wantedOfRooms)) {
    for (const { document } of batch) {
      // What a discussion belongs to may come behind it.
      if (stringOf(document['prid']) === '') adder.add(document);
      else discussions.push(document);
    }
  }
  adder.addDiscussions(discussions);
  for await (const batch of dump.read('rocketchat_subscription', wantedOfSubscriptions)) {
    for (const { document } of batch) adder.addMember(document);
  }
  return adder;
}

class RoomAdder implements Rooms {
  readonly #organization: Organization;
  readonly #usernames: Usernames;
  readonly #members = new Map<string, string[]>();
  readonly #publicChannels = new Set<string>();
  readonly places = new Map<string, RoomPlaceOrReason>();
  readonly names = new Map<string, string>();

  constructor(organization: Organization, usernames: Usernames) {
    this.#organization = organization;
    this.#usernames = usernames;
  }

  add(room: Json): void {
    const [key, type] = [stringOf(room['_id']), stringOf(room['t'])];
    if (key === '' || this.places.has(key)) return;
    if (type === 'c' || type === 'p') return this.#addChannel(room, key, type === 'p');
    if (type === 'd') return this.#addConversation(room, key);
    const isLivechat = type === 'l' || type === 'v';
    const leftOut = isLivechat ? 'livechat' : 'room_unknown';
    this.#organization.tally.leaveOut('conversations', leftOut);
    this.places.set(key, { leftOut });
  }

  /** Adds discussions. A public one in a public channel is read by the same people, and is a topic there. */
  addDiscussions(discussions: readonly Json[]): void {
    const parents = new Map(discussions.map((room) => [stringOf(room['_id']), room]));
    for (const room of discussions) {
      const key = stringOf(room['_id']);
      const channel = this.#publicChannelOf(room, parents);
      if (channel === undefined || key === '' || this.places.has(key)) {
        this.add(room);
        continue;
      }
      const { tally } = this.#organization;
      tally.keep('channels');
      tally.change('channels', 'public_discussion');
      this.places.set(key, {
        place: channel,
        thread: { key: `discussion ${key}`, title: titleOf(room) || 'Discussion' },
      });
    }
  }

  addMember({ rid, u: user }: Json): void {
    const members = this.#members.get(stringOf(rid));
    const key = isObject(user) ? stringOf(user['_id']) : '';
    if (key !== '') members?.push(key);
  }

  /** Returns the public channel in which a public discussion lies, in others or not. */
  #publicChannelOf(room: Json, parents: ReadonlyMap<string, Json>): string | undefined {
    let next: Json | undefined = room;
    for (let depth = 0; next && next['t'] === 'c' && depth < depthMax; depth += 1) {
      const parent = stringOf(next['prid']);
      if (this.#publicChannels.has(parent)) return parent;
      next = parents.get(parent);
    }
    return undefined;
  }

  #addChannel(room: Json, key: string, isPrivate: boolean): void {
    const { tally } = this.#organization;
    const members: string[] = [];
    this.#members.set(key, members);
    this.places.set(key, { place: key });
    const name = stringOf(room['name']);
    if (name !== '') this.names.set(name.toLowerCase(), key);
    if (!isPrivate && stringOf(room['prid']) === '') this.#publicChannels.add(key);
    const about = [room['topic'], room['description'], room['announcement']].map(stringOf).filter(Boolean);
    const creator = isObject(room['u']) ? stringOf(room['u']['_id']) : '';
    this.#organization.addChannel({
      key,
      name: titleOf(room) || key,
      description: cleanText([...new Set(about)].join(' – ')),
      isPrivate,
      isArchived: room['archived'] === true,
      isDefault: room['default'] === true || key === 'GENERAL',
      createdAt: microsOf(room['ts']),
      creator: creator === '' ? undefined : creator,
      members,
    });
    if (room['ro'] === true || room['broadcast'] === true) tally.change('channels', 'read_only');
    if (stringOf(room['prid']) !== '') tally.change('channels', 'private_discussion');
  }

  #addConversation(room: Json, key: string): void {
    const ids = listOf(room['uids']).map(stringOf).filter(Boolean);
    const named = listOf(room['usernames']).flatMap(
      (name) => this.#usernames.get(stringOf(name).toLowerCase()) ?? [],
    );
    const members = ids.length > 0 ? ids : named;
    for (const member of members) this.#organization.needPerson(member);
    // Those who left are still in it; members tell of conversations that name nobody.
    if (members.length === 0) this.#members.set(key, members);
    this.places.set(key, { place: key });
    this.#organization.addConversation(key, members);
  }
}

const titleOf = (room: Json): string =>
  cleanText(stringOf(room['fname'])).trim() || cleanText(stringOf(room['name'])).trim();
