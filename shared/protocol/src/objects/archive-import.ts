import { z } from 'zod';

import { coded } from './import-reason.ts';
import { ImportRefusal } from './import-refusal.ts';

/** The kinds of things in the archive of another product, in the order in which they are counted. */
export const archivedKinds = [
  'people',
  'bots',
  'channels',
  'conversations',
  'messages',
  'reactions',
  'files',
  'emoji',
  'stars',
  'groups',
  'edits',
  'settings',
  'others',
] as const;
export type ArchivedKind = (typeof archivedKinds)[number];

/** How many things of a kind an organization has already, and how many an import creates. */
const Counted = z.strictObject({ here: z.int(), created: z.int() });

/** Things of a kind that an archive has, why something becomes of them in an English sentence, and how many they are. */
const Reason = z.strictObject({ kind: z.string(), count: z.int(), reason: z.string(), ...coded });

/** Something else that is to say of an archive, in an English sentence. */
const Remark = z.strictObject({ text: z.string(), ...coded });

/** Remarks. Workers of an earlier version have written them down as texts alone. */
const Remarks = z.preprocess(
  (list) => (Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? { text: one } : one)) : list),
  z.array(Remark),
);

/** What becomes of an archive in an organization. Of long lists, `left_out` of themselves says how many are not listed. */
export const ArchivePlan = z.strictObject({
  /** The product that it comes from. */
  source: z.string(),
  /** The same archive was imported before: there is nothing to do. */
  is_done: z.boolean(),
  people: Counted,
  channels: Counted,
  emoji: Counted,
  messages: z.strictObject({
    here: z.int(),
    created: z.int(),
    /** Of those that are here: what has followed its source. Known when the import has ended. */
    changed: z.int().optional(),
    removed: z.int().optional(),
    kept_as_edited: z.int().optional(),
    reacted: z.int().optional(),
  }),
  /** Channels that are created under another name, because those of their names are others. */
  renamed_channels: z.array(z.strictObject({ name: z.string(), as: z.string() })),
  /** Rows of an archive of Parley that are left out, by their tables. */
  left_out_rows: z.record(z.string(), z.int()),
  /** What was read of the archive of another product, by kinds. */
  kinds: z.array(
    z.strictObject({ kind: z.string(), read: z.int(), kept: z.int(), changed: z.int(), left_out: z.int() }),
  ),
  changed: z.array(Reason),
  left_out: z.array(Reason),
  /** Names that two things had, and what they are called now. */
  conflicts: Remarks,
  notes: Remarks,
  /** How many lines of the lists above are not shown. */
  lines_left_out: z.int(),
});
export type ArchivePlan = z.infer<typeof ArchivePlan>;

/** How far a worker is with an archive. */
export const ImportProgress = z.strictObject({
  phase: z.enum(['fetching', 'reading', 'converting', 'comparing', 'importing']),
  /** How many things of the phase are done, of how many. */
  done: z.int(),
  of: z.int(),
  /** Messages so far, where they are counted. */
  messages: z.int(),
  per_second: z.int(),
  /** About how long the rest of the phase takes; null while nobody can say. */
  seconds_left: z.int().nullable(),
});
export type ImportProgress = z.infer<typeof ImportProgress>;

/** The products of which archives are read, this one among them. */
export const importSources = ['parley', 'slack', 'mattermost', 'rocketchat', 'zulip'] as const;
export type ImportSource = (typeof importSources)[number];

const importStatuses = [
  'uploading',
  'planning',
  'planned',
  'importing',
  'done',
  'failed',
  'cancelled',
] as const;

/** An archive that an owner imports into the organization. Times are in seconds. */
export const ArchiveImport = z.strictObject({
  id: z.int(),
  user_id: z.int(),
  file_name: z.string(),
  /** The product that somebody has said it comes from; null where that is told from its content. */
  source: z.enum(importSources).nullable(),
  /** The size of the archive, and how much of it has arrived. */
  bytes: z.int(),
  received: z.int(),
  /** The last part of the address at which the upload is gone on with; null unless it is. */
  upload_id: z.string().nullable(),
  status: z.enum(importStatuses),
  created_at: z.int(),
  ended_at: z.int().nullable(),
  /** When it is given up unless somebody goes on with it; null if it ends by itself, or has ended. */
  expires_at: z.int().nullable(),
  /** Null while no worker works on it. */
  progress: ImportProgress.nullable(),
  /** Why it failed, in an English sentence. */
  failure: z.string().nullable(),
  /** The same as a code with its values; null unless it failed, and where only the sentence is known. */
  failure_reason: ImportRefusal.nullable(),
});
export type ArchiveImport = z.infer<typeof ArchiveImport>;
