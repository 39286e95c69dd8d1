import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { makeWorkFolder, removeLeftFolders } from '@parley/kit';

import { Manifest, manifestPath, partNumbers } from '../manifest.ts';
import { readFiles, readLines, readWhole } from '../read/entries.ts';
import { memberOf } from '../read/members.ts';
import { refused } from '../read/refused.ts';
import { copyFiles } from './files.ts';
import { Form, type Row, secondsOf } from './form.ts';
import { addGroups } from './groups.ts';
import { MessageFiles, MessageSpool } from './messages.ts';
import { addRealm } from './people.ts';
import { adders, reactionRow } from './rows.ts';
import { TableFiles } from './table-files.ts';
import { tablesOfRealm } from './tables.ts';
import { TarWriter } from './tar-writer.ts';

const ofMessages: ReadonlySet<string> = new Set(['messages', 'message_flags', 'message_edits']);

/** What was written in Zulip’s form, and what has no place in it. */
interface WrittenForm {
  messages: number;
  leftOut: Readonly<Record<string, number>>;
}

/**
 * Writes an archive of ours again in the form of an export of Zulip. Memory holds people, channels, the names of topics and
 * who read what; the rest lies in a folder for temporary files.
 */
export async function writeZulipForm(archive: string, file: string): Promise<WrittenForm> {
  await removeLeftFolders();
  await using made = await makeWorkFolder('zulip-form');
  const folder = made.path;
  const partial = `${file}.partial`;
  try {
    const { form, realmName } = await readFoundations(archive, folder);
    const spool = new MessageSpool(folder);
    await readRows(archive, form, spool);
    const tar = new TarWriter(partial, `zulip-export-${realmName}`);
    try {
      const messages = await writeTables(form, spool, folder, tar);
      await copyFiles(archive, form, tar);
      await tar.finish();
      await rename(partial, file);
      return { messages, leftOut: Object.fromEntries(form.counts) };
    } catch (error) {
      tar.abort();
      throw error;
    }
  } finally {
    await rm(partial, { force: true });
  }
}

/** The tables with which an archive begins, and to which the rows of all others refer. */
const foundations: ReadonlySet<string> = new Set(['realms', 'users', 'user_groups']);

/** Reads what all else refers to: the organization and its groups. */
async function readFoundations(archive: string, folder: string): Promise<{ form: Form; realmName: string }> {
  const [groups, realms]: [Row[], Row[]] = [[], []];
  let found: { form: Form; realmName: string } | undefined;
  for await (const content of readFiles(archive)) {
    const member = memberOf(content.path);
    if (content.path === manifestPath) {
      const manifest = Manifest.parse(JSON.parse((await readWhole(content)).toString()));
      found = { form: formOf(manifest, folder), realmName: manifest.realm.name };
    }
    if (member.kind !== 'rows') continue;
    if (!foundations.has(member.table)) break;
    if (member.table === 'users') continue;
    const rows = member.table === 'realms' ? realms : groups;
    for await (const line of readLines(content)) rows.push(JSON.parse(line) as Row);
  }
  const [realm] = realms;
  if (!found || !realm) throw refused('no_organization');
  await addGroups(found.form, groups);
  await addRealm(found.form, realm);
  return found;
}

/** Reads all other rows. Messages that changed while the archive was written stand in its first part as they are. */
async function readRows(archive: string, form: Form, spool: MessageSpool): Promise<void> {
  const superseded = new Set<number>();
  for await (const content of readFiles(archive)) {
    const member = memberOf(content.path);
    if (member.kind === 'superseded') {
      for await (const line of readLines(content)) superseded.add(Number(line));
    }
    if (member.kind !== 'rows' || member.table === 'realms' || member.table === 'user_groups') continue;
    const { table, part } = member;
    for await (const line of readLines(content)) {
      const row = JSON.parse(line) as Row;
      if (part === partNumbers.tables || !superseded.has(messageOf(table, row))) {
        await addRow(form, spool, table, row);
      }
    }
  }
}

const messageOf = (table: string, row: Row) => Number(row[table === 'messages' ? 'id' : 'message_id']);

function formOf({ tables, realm }: Manifest, folder: string): Form {
  const greatest = {
    conversation: tables['conversations']?.greatest ?? 0,
    user: tables['users']?.greatest ?? 0,
  };
  const own = new TableFiles(folder);
  own.declare(...tablesOfRealm);
  const attachments = new TableFiles(folder);
  attachments.declare('zerver_attachment');
  const form = new Form(own, attachments, greatest);
  form.realmId = realm.id;
  return form;
}

async function addRow(form: Form, spool: MessageSpool, table: string, row: Row): Promise<void> {
  if (table === 'reactions') await form.tables.add('zerver_reaction', reactionRow(row));
  else if (table === 'message_attachments') {
    const [message, attachment] = [Number(row['message_id']), Number(row['attachment_id'])];
    form.attachmentMessages.set(attachment, [...(form.attachmentMessages.get(attachment) ?? []), message]);
  } else if (ofMessages.has(table)) await spool.add(table, row);
  else await adders[table]?.(form, row);
}

/** Writes the JSON files of an export. Answers with the number of messages. */
async function writeTables(form: Form, spool: MessageSpool, folder: string, tar: TarWriter): Promise<number> {
  const here = join(folder, 'file.json');
  const messages = new MessageFiles(form);
  for await (const number of messages.write(spool, here)) {
    await tar.addFile(`messages-${String(number).padStart(6, '0')}.json`, here);
  }
  await form.tables.write(here, { import_source: 'zulip' });
  await tar.addFile('realm.json', here);
  for (const [id, row] of form.attachments) {
    await form.attachmentTables.add('zerver_attachment', {
      id,
      realm: form.realmId,
      owner: row['owner_id'],
      file_name: row['name'],
      path_id: row['path_id'],
      create_time: secondsOf(row['created_at']),
      size: row['size'],
      content_type: row['content_type'],
      is_realm_public: false,
      is_web_public: false,
      messages: form.attachmentMessages.get(id) ?? [],
      scheduled_messages: form.scheduledUploads.get(id) ?? [],
    });
  }
  await form.attachmentTables.write(here);
  await tar.addFile('attachment.json', here);
  await tar.addText('analytics.json', analytics);
  await tar.addText('migration_status.json', migrations);
  return messages.count;
}

const analytics = '{"analytics_realmcount": [], "analytics_usercount": [], "analytics_streamcount": []}\n';
/** Zulip’s import compares this with its own: whoever imports there replaces it by that of the server. */
const migrations = '{"migrations_by_app": {}, "zulip_version": "11.0"}\n';
