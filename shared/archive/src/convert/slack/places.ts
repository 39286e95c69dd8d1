import { type Json, isObject, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import { cleanText, isTime } from '../texts.ts';
import { ofMrkdwn } from './mrkdwn.ts';

/** Where the messages of a folder are, and who pinned which of them. */
export interface SlackPlace {
  key: string;
  isDirect: boolean;
  pins: ReadonlyMap<string, readonly string[]>;
}

const stringsOf = (value: unknown) => listOf(value).map(stringOf).filter(Boolean);

/** Returns who pinned which messages of a channel. */
function pinsOf(channel: Json): Map<string, string[]> {
  const pins = new Map<string, string[]>();
  for (const pin of listOf(channel['pins'])) {
    if (!isObject(pin)) continue;
    const [key, user] = [stringOf(pin['id']), stringOf(pin['user'])];
    if (key !== '' && user !== '') pins.set(key, [...(pins.get(key) ?? []), user]);
  }
  return pins;
}

const earliest = Date.UTC(2013, 0) * 1000;

function addChannel(organization: Organization, channel: Json, isPrivate: boolean): void {
  const valueOf = (value: unknown) => (isObject(value) ? ofMrkdwn(stringOf(value['value'])) : '');
  const [topic, purpose] = [valueOf(channel['topic']), valueOf(channel['purpose'])];
  const createdAt = Number(channel['created']) * 1_000_000;
  organization.addChannel({
    key: stringOf(channel['id']),
    name: cleanText(stringOf(channel['name'])),
    description: [purpose, topic === purpose ? '' : topic].filter(Boolean).join(' – '),
    isPrivate,
    isArchived: channel['is_archived'] === true,
    isDefault: channel['is_general'] === true,
    createdAt: isTime(createdAt) ? createdAt : earliest,
    creator: stringOf(channel['creator']) || undefined,
    members: stringsOf(channel['members']),
  });
}

/** Adds the channels and conversations of a workspace. Answers with the folders of their messages. */
export async function addPlaces(
  organization: Organization,
  readList: (name: string) => Promise<readonly Json[]>,
): Promise<Map<string, SlackPlace>> {
  const folders = new Map<string, SlackPlace>();
  const addFolder = (place: Json, isDirect: boolean) => {
    const key = stringOf(place['id']);
    const folder = { key, isDirect, pins: pinsOf(place) };
    folders.set(key, folder);
    if (typeof place['name'] === 'string') folders.set(place['name'], folder);
    for (const member of stringsOf(place['members'])) organization.needPerson(member);
  };
  for (const [file, isPrivate] of [
    ['channels.json', false],
    ['groups.json', true],
  ] as const) {
    for (const channel of await readList(file)) {
      if (stringOf(channel['id']) === '' || organization.channels.has(stringOf(channel['id']))) continue;
      addChannel(organization, channel, isPrivate);
      addFolder(channel, false);
    }
  }
  for (const file of ['dms.json', 'mpims.json']) {
    for (const conversation of await readList(file)) {
      organization.addConversation(stringOf(conversation['id']), stringsOf(conversation['members']));
      addFolder(conversation, true);
    }
  }
  return folders;
}
