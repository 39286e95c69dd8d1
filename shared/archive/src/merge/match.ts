import type { Sql } from '@parley/db';
import { limits } from '@parley/protocol';

import type { ArchivedChannel, Structure } from './structure.ts';

/** What becomes of a thing of an archive in an organization: the id that it has here, or null if it is new. */
interface Matched {
  id: number | null;
  name: string;
}

interface MatchedChannel extends Matched {
  /** A channel here has its name, and is another one. */
  isBeside: boolean;
  /** This import creates it, or has created it before it was interrupted, and not archived it yet. */
  isCreated: boolean;
}

/** What an organization has of what an archive has, by the archive's ids. */
export interface Match {
  users: Map<number, Matched>;
  channels: Map<number, MatchedChannel>;
  /** Emoji that are neither here nor may be created have no entry. */
  emoji: Map<number, Matched>;
}

/** What is known of an archive's channels otherwise than by their names. */
export interface KnownChannels {
  /** Where an earlier archive, or an earlier run, has put a channel: ids here by those of the archive. */
  places: ReadonlyMap<number, number>;
  /** When the import began that is gone on with; null for one that begins. */
  since: Date | null;
}

interface Here {
  id: number;
  name: string;
  isPublic: boolean;
  isArchived: boolean;
  /** It has been created since the import began, and nobody has written in it. */
  isUnused: boolean;
}

/**
 * Compares an archive with an organization. People are the same if they have the same email address, in whatever case, and
 * emoji if they have the same name. A channel of a name that is here becomes that channel only if both are public: else the
 * people of one would read what was said in the other, and it is created under another name.
 */
export async function matchStructure(
  sql: Sql,
  realmId: number,
  structure: Structure,
  known: KnownChannels,
): Promise<Match> {
  const users = await sql<{ id: number; email: string; isSystem: boolean }[]>`
    select id, lower(email) as email, is_system as "isSystem" from users where realm_id = ${realmId}`;
  const channels = await sql<Here[]>`
    select c.id, lower(c.name) as name, not c.is_private as "isPublic",
      c.is_archived as "isArchived",
      coalesce(c.created_at >= ${known.since} and h.ordinal = 0, false) as "isUnused"
    from channels c join conversation_heads h on h.realm_id = c.realm_id and h.conversation_id = c.conversation_id
    where c.realm_id = ${realmId}`;
  const emoji = await sql<{ id: number; name: string }[]>`
    select id, name from realm_emoji where realm_id = ${realmId} and not is_deactivated`;
  const byEmail = new Map(users.map(({ id, email }) => [email, id]));
  // The server's own bots have the same names in every organization, whatever its addresses end in.
  const system = new Map(users.filter((one) => one.isSystem).map((one) => [localPart(one.email), one.id]));
  const emojiIds = new Map(emoji.map(({ id, name }) => [name, id]));
  return {
    users: new Map(
      [...structure.users.values()].map(({ id, email, isSystem }) => {
        const found = isSystem ? system.get(localPart(email)) : byEmail.get(email.toLowerCase());
        return [id, { id: found ?? null, name: email }];
      }),
    ),
    channels: matchChannels(structure, channels, known.places),
    emoji: new Map(
      [...structure.emoji].flatMap(([id, { name, isDeactivated }]) => {
        const found = emojiIds.get(name) ?? null;
        return found === null && isDeactivated ? [] : [[id, { id: found, name }] as const];
      }),
    ),
  };
}

const localPart = (email: string) => email.split('@')[0]?.toLowerCase() ?? '';

function matchChannels(
  { channels }: Structure,
  here: readonly Here[],
  places: ReadonlyMap<number, number>,
): Match['channels'] {
  const byId = new Map(here.map((one) => [one.id, one]));
  const byName = new Map(here.map((one) => [one.name, one]));
  const names = new Set([...byName.keys(), ...[...channels.values()].map(({ name }) => name.toLowerCase())]);
  const as = ({ id, name, isUnused, isArchived }: Here): MatchedChannel => ({
    id,
    name,
    isBeside: false,
    isCreated: isUnused && !isArchived,
  });
  const match = ({ id, name, isPrivate }: ArchivedChannel): MatchedChannel => {
    const placed = byId.get(places.get(id) ?? 0);
    if (placed?.isPublic === !isPrivate) return as(placed);
    const found = byName.get(name.toLowerCase());
    if (!found) return { id: null, name, isBeside: false, isCreated: true };
    if (found.isPublic === !isPrivate && (found.isPublic || found.isUnused)) return as(found);
    const free = freeName(name, names);
    names.add(free.toLowerCase());
    return { id: null, name: free, isBeside: true, isCreated: true };
  };
  return new Map([...channels.values()].map((channel) => [channel.id, match(channel)]));
}

/** A name for a channel whose own name another one has. */
function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? ' (imported)' : ` (imported ${number})`;
    const tried = `${[...name].slice(0, limits.channelNameLength - end.length).join('')}${end}`;
    if (!names.has(tried.toLowerCase())) return tried;
  }
}
