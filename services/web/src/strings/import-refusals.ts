import { catalogue, icu } from './catalogue.ts';

/** Why an archive was refused, by the codes of the server. */
export const refusalText = catalogue('refusal', {
  // What is no archive, or not one that is read here.
  unknown_product:
    'It cannot be told from this file which product it comes from. Choose the product, and send it again.',
  other_product: icu('This is an archive of {found}, not of {said}.', 'found', 'said'),
  no_archive: 'This is not an archive of an organization.',
  other_format: icu(
    'The archive has the format version {version}, but this version of Parley reads version {known, number}.',
    'version',
    'known',
  ),
  unknown_table: icu(
    'The archive has rows of the table {table}, which this version does not know. Update the server first.',
    'table',
  ),
  unknown_column: icu(
    'The archive has the column {column} of the table {table}, which this version does not know. Update the server first.',
    'column',
    'table',
  ),
  several_databases: icu(
    'There are several databases of Rocket.Chat: {databases}. Give one of them.',
    'databases',
  ),
  no_messages: 'The archive has no messages.',
  // Files that are not there, not whole, or not what they should be.
  not_unpacked: icu('The archive is damaged: {place} cannot be decompressed.', 'place'),
  cut_short: icu('The archive is damaged: {place} ends in the middle. Copy or download it again.', 'place'),
  zip_kind:
    'The archive is a ZIP file of a kind that is not read here: encrypted, in several parts, or not compressed with Deflate.',
  compressed: icu('The archive is damaged: {place} is compressed more than any export is.', 'place'),
  encrypted: icu('The archive is damaged: {path} is encrypted.', 'path'),
  overlapping: 'The archive is damaged: its files overlap.',
  not_file: icu('The archive is damaged: {path} is not a file.', 'path'),
  leads_out: icu('The archive is damaged: the path {path} leads out of it.', 'path'),
  file_missing: icu('The archive is damaged: it has no {path}.', 'path'),
  file_twice: icu('The archive is damaged: {path} occurs twice.', 'path'),
  file_unreadable: icu('The archive is damaged: {path} cannot be read.', 'path'),
  file_large: icu(
    'The archive is damaged: {path} is larger than {mebibytes, number} MiB.',
    'path',
    'mebibytes',
  ),
  file_overfull: icu(
    'The archive is damaged: {place} is too far behind: no export puts so much into a file.',
    'place',
  ),
  ends_early: icu('The archive is damaged: it ends too early, at {place}.', 'place'),
  not_text: icu('The archive is damaged: {place} is not text.', 'place'),
  no_json: icu('The archive is damaged: {place} is no JSON.', 'place'),
  no_object: icu('The archive is damaged: {place} is no object.', 'place'),
  no_list: icu('The archive is damaged: {path} is no list.', 'path'),
  too_long: icu(
    'The archive is damaged: {place} is longer than {mebibytes, number} MiB.',
    'place',
    'mebibytes',
  ),
  line_empty: icu('The archive is damaged: {place} is empty.', 'place'),
  no_lines: 'The archive is damaged: it has no file with lines of JSON.',
  no_bson: icu('The archive is damaged: {place} is no BSON.', 'place'),
  too_deep: icu('The archive is damaged: {place} lies too deep.', 'place'),
  no_dump: icu('The archive is damaged: {place} is nothing that an archive of mongodump has.', 'place'),
  no_collection: icu(
    'The archive is damaged: {database} has no collection {collection}.',
    'database',
    'collection',
  ),
  no_piece: icu('The archive is damaged: {place} is no piece of its file.', 'place'),
  // Things in those files.
  no_organization: 'The archive is damaged: it does not contain exactly one organization.',
  no_id: icu('The archive is damaged: {place} has no id, or one that another has.', 'place'),
  no_sender: icu('The archive is damaged: {place} has no sender.', 'place'),
  no_time: icu('The archive is damaged: {place} has a time that no message has.', 'place'),
  out_of_order: icu(
    'The archive is damaged: {place} has the message {id, number} after {last, number}: exports have them in order.',
    'place',
    'id',
    'last',
  ),
  no_version: icu(
    'The archive is damaged: {place} does not say that it is version 1 of the format.',
    'place',
  ),
  unknown_kind: icu(
    'The archive is damaged: {place} is not of a kind that an export has: {kind}.',
    'place',
    'kind',
  ),
  unknown_channel: icu(
    'The archive is damaged: {place} is of a channel that the archive does not have: {channel}.',
    'place',
    'channel',
  ),
  // Archives of Parley, of which all parts are known.
  incomplete: icu(
    'The archive is damaged: it is incomplete: {count, plural, one {# part is missing} other {# parts are missing}}.',
    'count',
  ),
  other_parts: 'The archive is damaged: its parts are not those that its manifest names.',
  part_changed: icu('The archive is damaged: part {part, number} does not match its checksum.', 'part'),
  file_changed: icu('The archive is damaged: {path} has been changed.', 'path'),
  file_misplaced: icu('The archive is damaged: {path} is not in its place.', 'path'),
  file_foreign: icu('The archive is damaged: {path} does not belong to the archive.', 'path'),
  file_unnamed: 'The archive is damaged: it has a file twice, or one that nothing refers to.',
  row_unreadable: icu('The archive is damaged: a row of the table {table} cannot be read.', 'table'),
  other_rows: icu(
    'The archive is damaged: the table {table} has other rows than the manifest says.',
    'table',
  ),
  row_refused: icu(
    'The archive is refused: a row of the table {table} is not one that the server could have written.',
    'table',
  ),
  value_refused: icu(
    'The archive is refused: the table {table} has a value in {column} that the server could not have written.',
    'table',
    'column',
  ),
  rows_contradict: icu(
    'The archive is refused: rows of the table {table} contradict each other or the rest of it.',
    'table',
  ),
  table_large: icu('The archive is refused: the table {table} has too many rows.', 'table'),
  no_members: 'The archive is refused: its organization has no members.',
  // Limits.
  people_max: icu('The archive has more than {count, number} people.', 'count'),
  places_max: icu('The archive has more than {count, number} channels and conversations.', 'count'),
  files_max: icu('The archive has more than {count, number} files.', 'count'),
  too_large: 'The archive is too large to be sorted here.',
  no_room: 'Unpacked, the archive takes more room than this server has for imports.',
  no_ids: icu('There are not enough ids left for the archive ({sequence}).', 'sequence'),
  no_ids_before: icu(
    'The archive has {count, number} messages that {name} does not have, and there are {free, number} ids before its first own message. Clients show messages in the order of their ids, so it can only be imported as an organization of its own.',
    'count',
    'name',
    'free',
  ),
  ids_shared:
    'Organizations still share the ids of messages. Once no node of the version before runs: parley migrate --finish.',
  // Where it would be imported.
  import_running: icu('Another import into {name} is running. Try again when it has ended.', 'name'),
  other_archive: icu(
    'Another archive is already being imported into {name}. Import that one to its end first.',
    'name',
  ),
  name_begun: icu('Another archive is already being imported as {name}.', 'name'),
  name_taken: icu('There is already an organization {name}.', 'name'),
  name_refused: icu('{name}: {reason}', 'name', 'reason'),
  no_owner: icu('{name} has no owner. Name one: parley user role --help', 'name'),
  upload_incomplete: 'A part of the archive is missing on the server. Upload it again.',
  not_allowed: icu('{reason}', 'reason'),
  server_failed: 'Something went wrong on the server.',
});

/** Where something is in an archive. A sentence says something of it. */
export const placeText = catalogue('place', {
  file: icu('{path}', 'path'),
  archive: 'it',
  line: icu('line {line, number} of {path}', 'line', 'path'),
  lineOfArchive: icu('line {line, number} of the archive', 'line'),
  message: icu('message {message, number} of {path}', 'message', 'path'),
  document: icu('document {document, number} of {path}', 'document', 'path'),
  documentAt: icu(
    'document {document, number} of {path}, at byte {byte, number},',
    'document',
    'path',
    'byte',
  ),
  byte: icu('byte {byte, number} of {path}', 'byte', 'path'),
  byteOfArchive: icu('byte {byte, number} of the archive', 'byte'),
});
