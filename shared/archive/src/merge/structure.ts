import { readFiles } from '../read/entries.ts';
import { memberOf } from '../read/members.ts';
import { readRows } from '../read/read-rows.ts';
import type { Row } from '../read/row.ts';
import { type Survey, tableOf } from '../read/survey.ts';

/** Tables that an import into an organization reads; of the others, it says how many rows it leaves out. */
export const mergedTables: ReadonlySet<string> = new Set([
  'realms',
  'users',
  'realm_emoji',
  'conversations',
  'channels',
  'topics',
  'conversation_members',
  'conversation_heads',
  'attachments',
  'messages',
  'message_flags',
  'message_edits',
  'reactions',
  'submessages',
  'message_attachments',
]);

export interface ArchivedUser {
  id: number;
  email: string;
  fullName: string;
  role: number;
  isActive: boolean;
  isSystem: boolean;
  botType: number | null;
  botOwnerId: number | null;
}

export interface ArchivedChannel {
  id: number;
  conversationId: number;
  name: string;
  description: string;
  isPrivate: boolean;
  sharesHistory: boolean;
  isArchived: boolean;
}

/** Who received what of a conversation. */
interface ArchivedMember {
  userId: number;
  isSubscribed: boolean;
  received: string;
}

/** The people, places and files of an archive, by its own ids. */
export interface Structure {
  users: Map<number, ArchivedUser>;
  emoji: Map<number, { name: string; path: string; stillPath: string | null; isDeactivated: boolean }>;
  channels: Map<number, ArchivedChannel>;
  /** The people of direct conversations. */
  directs: Map<number, readonly number[]>;
  topics: Map<number, { channelId: number; name: string }>;
  members: Map<number, ArchivedMember[]>;
  /** The last ordinal of each conversation. */
  heads: Map<number, number>;
  /** The paths of uploads. */
  uploads: Map<number, string>;
}

const emptyStructure = (): Structure => ({
  users: new Map(),
  emoji: new Map(),
  channels: new Map(),
  directs: new Map(),
  topics: new Map(),
  members: new Map(),
  heads: new Map(),
  uploads: new Map(),
});

/** Reads what an archive that was checked says of people, places and files. It takes memory for each, and none for messages. */
export async function readStructure(archive: string, survey: Survey): Promise<Structure> {
  const structure = emptyStructure();
  for await (const file of readFiles(archive)) {
    const member = memberOf(file.path);
    if (member.kind !== 'rows') continue;
    const add = readers[member.table];
    if (!add) continue;
    const { table } = tableOf(member.table);
    for await (const rows of readRows(file, table, member.part, survey.superseded))
      for (const row of rows) add(structure, row);
  }
  return structure;
}

const nullable = (value: unknown) => (value === null ? null : Number(value));

const readers: Readonly<Record<string, (structure: Structure, row: Row) => void>> = {
  users({ users }, row) {
    users.set(Number(row['id']), {
      id: Number(row['id']),
      email: String(row['email']),
      fullName: String(row['full_name']),
      role: Number(row['role']),
      isActive: row['is_active'] === true,
      isSystem: row['is_system'] === true,
      botType: nullable(row['bot_type']),
      botOwnerId: nullable(row['bot_owner_id']),
    });
  },
  realm_emoji({ emoji }, row) {
    emoji.set(Number(row['id']), {
      name: String(row['name']),
      path: String(row['path']),
      stillPath: typeof row['still_path'] === 'string' ? row['still_path'] : null,
      isDeactivated: row['is_deactivated'] === true,
    });
  },
  conversations({ directs }, row) {
    // Safe: the row has passed the schema of conversations.
    if (row['people'] !== null) directs.set(Number(row['id']), row['people'] as number[]);
  },
  channels({ channels }, row) {
    channels.set(Number(row['id']), {
      id: Number(row['id']),
      conversationId: Number(row['conversation_id']),
      name: String(row['name']),
      description: String(row['description']),
      isPrivate: row['is_private'] === true,
      sharesHistory: row['shares_history'] === true,
      isArchived: row['is_archived'] === true,
    });
  },
  topics({ topics }, row) {
    topics.set(Number(row['id']), { channelId: Number(row['channel_id']), name: String(row['name']) });
  },
  conversation_members({ members }, row) {
    const id = Number(row['conversation_id']);
    const list = members.get(id) ?? [];
    list.push({
      userId: Number(row['user_id']),
      isSubscribed: row['is_subscribed'] === true,
      received: String(row['received']),
    });
    members.set(id, list);
  },
  conversation_heads({ heads }, row) {
    heads.set(Number(row['conversation_id']), Number(row['ordinal']));
  },
  attachments({ uploads }, row) {
    uploads.set(Number(row['id']), String(row['path_id']));
  },
};
