import { z } from 'zod';

import { type NamesIn, type SentenceValues, fillIn } from './sentences.ts';

/**
 * Why an import leaves things of an archive out or changes them, and what else is to say of it: a sentence for each code,
 * with the names of its values in brackets. The server says it in English, and the web client in the language of the
 * reader, whose catalogue has a text of the same name (`test/laws/import-texts.test.ts`). Reasons have no full stop: they
 * stand in a table, beside what they are about.
 */
export const reasonSentences = {
  // Anything.
  twice: 'It occurs twice',
  other_reasons: 'Other reasons',

  // People and bots.
  name_cleaned: 'The name had characters that no name has here',
  address_of_other: 'Another account has the address',
  address_made_up: 'The archive has no address that can be theirs; one was made up',
  person_unknown: 'The archive has no details of them; they are deactivated',
  person_unlisted: 'Only messages name them; they are deactivated',
  person_outside: 'They are of another workspace, and are deactivated guests',
  embedded_bot: 'The server has no code of embedded bots',
  avatar_not_taken: 'The picture is not taken over',
  avatar_missing: 'The picture is not in the archive',
  avatar_sizes: 'The picture is not in the archive in all sizes',
  avatar_unreadable: 'The picture cannot be read',

  // Channels, groups and conversations.
  renamed: 'It has another name here',
  public_discussion: 'A public discussion; its messages are a topic of its channel',
  private_discussion: 'A discussion that not all may read is a channel of its own',
  read_only: 'It was read-only; here its members may write',
  livechat: 'It is a conversation of livechat',
  room_unknown: 'It is a room of a kind that is not known here',

  // Messages.
  deleted: 'It was deleted',
  deleted_with_replies: 'It was deleted; others replied to it',
  record_of_deletion: 'It is the record of a deletion',
  record_of_change: 'It is the record of a change',
  record_of_reply: 'It is the record of a reply',
  earlier_text: 'It is an earlier text of a message that was edited or deleted',
  encrypted_text: 'It is encrypted; only its readers have the key',
  notice: 'It is a notice of {product} ({type})',
  nothing_shown: 'There is nothing in it that can be shown',
  empty_text: 'There was nothing in it',
  no_place: 'It is in no place that the archive has',
  no_channel: 'The archive does not list its channel',
  no_room: 'The archive does not list its room',
  cut_off: 'It is longer than {characters} characters; the end is cut off',
  also_in_channel: 'A reply that was also sent to its channel is in its thread only',
  other_name: 'It was written under another name; the text begins with the name',
  pinned: 'It was pinned; the archive does not say by whom',
  no_threads: 'Direct conversations have no threads here',
  sender_had_left: 'The sender had left the direct conversation, and is in it here',
  edits_unreadable: 'The history of a message cannot be read',
  moved_from_unknown: 'The message came from a channel that the archive does not have',

  // Files.
  file_too_large: 'It is larger than {mebibytes} MiB',
  file_not_there: 'It is not in the archive',
  file_not_there_or_large: 'It is not in the archive, or larger than {mebibytes} MiB',
  file_not_given: 'It is not in the archive, nor given (--files); its name stands in the message',
  file_in_part: 'A part of it is missing; its name stands in the message',
  file_hidden: 'It was deleted, or is not shown to anybody',
  file_linked: 'Its content was not given (--files); a link to it stands in the message',

  // Custom emoji and reactions.
  emoji_name: 'No emoji can have its name here',
  emoji_name_taken: 'Another has its name here',
  emoji_kind: 'Its picture is of another kind',
  emoji_not_there: 'Its picture is not in the archive',
  emoji_not_given: 'Its picture was not given',
  emoji_incomplete: 'It has no picture in the archive, or no name of its own',
  emoji_max: 'There are too many',
  reaction_picture: 'The picture of the custom emoji is not in the archive',
  reaction_message: 'Its message is not in the archive',
  reaction_emoji: 'The server does not have this emoji',
  reaction_people: 'The archive does not list who reacted',
  reactions_max: 'The message has too many different ones',

  // Settings, and what lies in tables.
  setting_value: '{setting} cannot have this value here',
  row_value: '{table}: the server cannot have this {column}',
  row_twice: '{table}: it occurs twice',
  profile_value: 'No profile field can have this value here',
  table_unknown: '{table}: the table is not known here',
  table_of_changes: '{table}: the log of changes begins anew here',
  table_of_exports: '{table}: exports are those of the server that made them',
  table_of_activity: '{table}: when people were active is counted anew',
  table_of_bot_code: '{table}: the server runs no code of bots',
  table_of_sign_ins: '{table}: accounts of other services are linked when people sign in with them',
  table_of_welcomes: '{table}: the server sends other messages of welcome',

  // Conflicts: names that two things had.
  two_addresses: 'Two accounts have the address {address}; the second has another now.',
  two_channels: 'Two channels are called {wanted}; the second is called {name} now.',

  // Notes.
  nobody_owns: 'Nobody is an owner: name one with `parley user role`.',
  was_deactivated: 'The organization is deactivated, as it was when it was exported.',
  no_sign_in: 'No way to sign in of the archive is known here; all of ours are on.',
} as const;

type Sentences = typeof reasonSentences;
export type ReasonCode = keyof Sentences;

/** The values of a sentence: counts are numbers, all else is text. */
export type ReasonValues<Code extends ReasonCode> = {
  [Name in NamesIn<Sentences[Code]>]: Name extends 'characters' | 'mebibytes' ? number : string;
};

/** The codes of sentences that have no values. */
export type PlainReasonCode = {
  [Code in ReasonCode]: NamesIn<Sentences[Code]> extends never ? Code : never;
}[ReasonCode];

// Safe: the keys are those of the list.
const codes = Object.keys(reasonSentences) as [ReasonCode, ...ReasonCode[]];

/**
 * A sentence as a code with its values, for those who say it in another language. Neither is there in what an earlier
 * version has written down; a code of a later one is not known.
 */
export const coded = {
  code: z.enum(codes).optional().catch(undefined),
  /** What the sentence is about. Names from the archive are shortened. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};

/** Returns the English sentence of a reason. */
export const reasonSentence = ({ code, values }: { code: ReasonCode; values: SentenceValues }): string =>
  fillIn(reasonSentences[code], values);
