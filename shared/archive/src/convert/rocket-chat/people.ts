import type { ForeignPerson } from '../foreign.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import { cleanText } from '../texts.ts';
import type { Dump } from './dump.ts';
import { microsOf } from './times.ts';

const wanted: ReadonlySet<string> = new Set(
  '_id username name type roles active emails createdAt avatarETag avatarOrigin'.split(' '),
);

/** Finds people by the names with which texts and reactions call them. */
export type Usernames = ReadonlyMap<string, string>;

/** Adds the accounts of a server. Answers with their keys by their user names. */
export async function addPeople(organization: Organization, dump: Dump): Promise<Usernames> {
  const usernames = new Map<string, string>();
  for await (const batch of dump.read('users', wanted)) {
    for (const { document } of batch) {
      const person = personOf(document);
      if (person.key === '' || organization.people.find(person.key)) continue;
      organization.people.add(person);
      const username = stringOf(document['username']).toLowerCase();
      if (username !== '') usernames.set(username, person.key);
      if (stringOf(document['avatarETag']) !== '' && stringOf(document['avatarOrigin']) !== '') {
        organization.tally.change(person.isBot === true ? 'bots' : 'people', 'avatar_not_taken');
      }
    }
  }
  return usernames;
}

function personOf(user: Json): ForeignPerson & { key: string } {
  const roles = listOf(user['roles']).map(stringOf);
  const [email] = listOf(user['emails']);
  return {
    key: stringOf(user['_id']),
    name: nameOf(user) || 'Unknown',
    email: isObject(email) ? stringOf(email['address']) : undefined,
    role: roles.includes('admin') ? 'owner' : roles.includes('guest') ? 'guest' : 'member',
    isActive: user['active'] !== false,
    isBot: user['type'] === 'bot' || user['type'] === 'app' || roles.includes('bot'),
    joinedAt: microsOf(user['createdAt']),
  };
}

/** Returns what a person is called, in an account or beside a message. */
export const nameOf = (user: Json): string =>
  cleanText(stringOf(user['name'])).trim() || cleanText(stringOf(user['username'])).trim();
