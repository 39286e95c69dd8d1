import { z } from 'zod';

import { type NamesIn, fillIn } from './sentences.ts';

/**
 * Why an archive is refused: a sentence for each code, with the names of its values in brackets. The server says it in
 * English, and the web client in the language of the reader, whose catalogue has a text of the same name
 * (`test/laws/import-texts.test.ts`). `place` is said by what is known of it: a file, and a line, message, document or byte.
 */
export const refusalSentences = {
  // What is no archive, or not one that is read here.
  unknown_product:
    'It cannot be told from this file which product it comes from. Choose the product, and send it again.',
  other_product: 'This is an archive of {found}, not of {said}.',
  no_archive: 'This is not an archive of an organization.',
  other_format:
    'The archive has the format version {version}, but this version of Parley reads version {known}.',
  unknown_table:
    'The archive has rows of the table {table}, which this version does not know. Update the server first.',
  unknown_column:
    'The archive has the column {column} of the table {table}, which this version does not know. Update the server first.',
  several_databases: 'There are several databases of Rocket.Chat: {databases}. Give one of them.',
  no_messages: 'The archive has no messages.',

  // Files that are not there, not whole, or not what they should be.
  not_unpacked: 'The archive is damaged: {place} cannot be decompressed.',
  cut_short: 'The archive is damaged: {place} ends in the middle. Copy or download it again.',
  zip_kind:
    'The archive is a ZIP file of a kind that is not read here: encrypted, in several parts, or not compressed with Deflate.',
  compressed: 'The archive is damaged: {place} is compressed more than any export is.',
  encrypted: 'The archive is damaged: {path} is encrypted.',
  overlapping: 'The archive is damaged: its files overlap.',
  not_file: 'The archive is damaged: {path} is not a file.',
  leads_out: 'The archive is damaged: the path {path} leads out of it.',
  file_missing: 'The archive is damaged: it has no {path}.',
  file_twice: 'The archive is damaged: {path} occurs twice.',
  file_unreadable: 'The archive is damaged: {path} cannot be read.',
  file_large: 'The archive is damaged: {path} is larger than {mebibytes} MiB.',
  file_overfull: 'The archive is damaged: {place} is too far behind: no export puts so much into a file.',
  ends_early: 'The archive is damaged: it ends too early, at {place}.',
  not_text: 'The archive is damaged: {place} is not text.',
  no_json: 'The archive is damaged: {place} is no JSON.',
  no_object: 'The archive is damaged: {place} is no object.',
  no_list: 'The archive is damaged: {path} is no list.',
  too_long: 'The archive is damaged: {place} is longer than {mebibytes} MiB.',
  line_empty: 'The archive is damaged: {place} is empty.',
  no_lines: 'The archive is damaged: it has no file with lines of JSON.',
  no_bson: 'The archive is damaged: {place} is no BSON.',
  too_deep: 'The archive is damaged: {place} lies too deep.',
  no_dump: 'The archive is damaged: {place} is nothing that an archive of mongodump has.',
  no_collection: 'The archive is damaged: {database} has no collection {collection}.',
  no_piece: 'The archive is damaged: {place} is no piece of its file.',

  // Things in those files.
  no_organization: 'The archive is damaged: it does not contain exactly one organization.',
  no_id: 'The archive is damaged: {place} has no id, or one that another has.',
  no_sender: 'The archive is damaged: {place} has no sender.',
  no_time: 'The archive is damaged: {place} has a time that no message has.',
  out_of_order:
    'The archive is damaged: {place} has the message {id} after {last}: exports have them in order.',
  no_version: 'The archive is damaged: {place} does not say that it is version 1 of the format.',
  unknown_kind: 'The archive is damaged: {place} is not of a kind that an export has: {kind}.',
  unknown_channel:
    'The archive is damaged: {place} is of a channel that the archive does not have: {channel}.',

  // Archives of Parley, of which all parts are known.
  incomplete: 'The archive is damaged: it is incomplete: {count} parts are missing.',
  other_parts: 'The archive is damaged: its parts are not those that its manifest names.',
  part_changed: 'The archive is damaged: part {part} does not match its checksum.',
  file_changed: 'The archive is damaged: {path} has been changed.',
  file_misplaced: 'The archive is damaged: {path} is not in its place.',
  file_foreign: 'The archive is damaged: {path} does not belong to the archive.',
  file_unnamed: 'The archive is damaged: it has a file twice, or one that nothing refers to.',
  row_unreadable: 'The archive is damaged: a row of the table {table} cannot be read.',
  other_rows: 'The archive is damaged: the table {table} has other rows than the manifest says.',
  row_refused:
    'The archive is refused: a row of the table {table} is not one that the server could have written.',
  value_refused:
    'The archive is refused: the table {table} has a value in {column} that the server could not have written.',
  rows_contradict:
    'The archive is refused: rows of the table {table} contradict each other or the rest of it.',
  table_large: 'The archive is refused: the table {table} has too many rows.',
  no_members: 'The archive is refused: its organization has no members.',

  // Limits.
  people_max: 'The archive has more than {count} people.',
  places_max: 'The archive has more than {count} channels and conversations.',
  files_max: 'The archive has more than {count} files.',
  too_large: 'The archive is too large to be sorted here.',
  no_room: 'Unpacked, the archive takes more room than this server has for imports.',
  no_ids: 'There are not enough ids left for the archive ({sequence}).',
  no_ids_before:
    'The archive has {count} messages that {name} does not have, and there are {free} ids before its first own message. Clients show messages in the order of their ids, so it can only be imported as an organization of its own.',
  ids_shared:
    'Organizations still share the ids of messages. Once no node of the version before runs: parley migrate --finish.',

  // Where it would be imported.
  import_running: 'Another import into {name} is running. Try again when it has ended.',
  other_archive: 'Another archive is already being imported into {name}. Import that one to its end first.',
  name_begun: 'Another archive is already being imported as {name}.',
  name_taken: 'There is already an organization {name}.',
  name_refused: '{name}: {reason}',
  no_owner: '{name} has no owner. Name one: parley user role --help',
  upload_incomplete: 'A part of the archive is missing on the server. Upload it again.',
  not_allowed: '{reason}',
  server_failed: 'Something went wrong on the server.',
} as const;

type Sentences = typeof refusalSentences;
export type RefusalCode = keyof Sentences;

/** Where something is in an archive: in a file of it, or in the archive itself if that is one. */
export interface ArchivePlace {
  path?: string | undefined;
  line?: number;
  message?: number;
  document?: number;
  byte?: number;
}

type Counts = 'count' | 'free' | 'id' | 'known' | 'last' | 'mebibytes' | 'part';

/** The values of a sentence: counts are numbers, all else is text. */
type ValuesIn<Text extends string> = {
  [Name in Exclude<NamesIn<Text>, 'place'>]: Name extends Counts ? number : string;
} & ('place' extends NamesIn<Text> ? ArchivePlace : unknown);
export type RefusalValues<Code extends RefusalCode> = ValuesIn<Sentences[Code]>;

// Safe: the keys are those of the list.
const codes = Object.keys(refusalSentences) as [RefusalCode, ...RefusalCode[]];

/** Why an archive was refused, for those who say it in other words or another language. */
export const ImportRefusal = z.strictObject({
  code: z.enum(codes),
  /** What the sentence is about: `path`, `line` and so on. Names from the archive are shortened. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type ImportRefusal = z.infer<typeof ImportRefusal>;

/** Returns where something is, in English. */
function placeIn({ path, line, message, document, byte }: ImportRefusal['values']): string {
  const of = path ?? 'the archive';
  if (line !== undefined) return `line ${line} of ${of}`;
  if (message !== undefined) return `message ${message} of ${of}`;
  if (document !== undefined) {
    return byte === undefined
      ? `document ${document} of ${of}`
      : `document ${document} of ${of}, at byte ${byte},`;
  }
  if (byte !== undefined) return `byte ${byte} of ${of}`;
  return String(path ?? 'it');
}

/** Returns the English sentence of a refusal. */
export const refusalSentence = ({ code, values }: ImportRefusal): string =>
  fillIn(refusalSentences[code], { ...values, place: placeIn(values) });
