import type { Survey } from '../read/survey.ts';
import { systemGroupCount } from '../schemas/permissions.ts';
import type { FollowedTexts } from './follow-texts.ts';
import type { Match } from './match.ts';
import { type Structure, mergedTables } from './structure.ts';

/** How many things of a kind an organization has already, and how many an import creates. */
interface Counted {
  here: number;
  created: number;
}

/** How many messages that were there already have followed their source. */
interface Followed extends FollowedTexts {
  /** Their reactions have changed. */
  reacted: number;
}

/** What an import into an organization finds and makes. */
export interface MergePlan {
  /** The same archive was imported before: there is nothing to do. */
  isDone: boolean;
  people: Counted;
  channels: Counted;
  /** Channels that are created under another name: those of their names are not to be mixed with them. */
  renamed: { name: string; as: string }[];
  emoji: Counted;
  messages: Counted & Partial<Followed>;
  /** Rows that are left out, by their tables: settings of the organization, groups, drafts and the like. */
  leftOut: Record<string, number>;
}

export function planOf(
  { manifest }: Survey,
  { users, channels }: Structure,
  match: Match,
  messages: { isDone: boolean; created: number; of: number },
): MergePlan {
  const people = [...users.values()].filter(({ isSystem }) => !isSystem);
  const rows = Object.entries(manifest.tables).map(([name, table]) => {
    const own = name === 'user_groups' ? systemGroupCount : 0;
    return [name, table.rows - own] as const;
  });
  return {
    isDone: messages.isDone,
    people: counted(people.map(({ id }) => match.users.get(id)?.id ?? null)),
    channels: counted([...match.channels.values()].map(({ id }) => id)),
    renamed: [...match.channels].flatMap(([id, { name, isBeside }]) =>
      isBeside ? [{ name: channels.get(id)?.name ?? '', as: name }] : [],
    ),
    emoji: counted([...match.emoji.values()].map(({ id }) => id)),
    messages: { here: messages.of - messages.created, created: messages.created },
    leftOut: Object.fromEntries(rows.filter(([name, count]) => count > 0 && !mergedTables.has(name))),
  };
}

function counted(ids: readonly (number | null)[]): Counted {
  const created = ids.filter((id) => id === null).length;
  return { here: ids.length - created, created };
}
