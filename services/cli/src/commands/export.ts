import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import * as actions from '@parley/actions';
import { writeZulipForm } from '@parley/archive';
import { buildCommand } from '@stricli/core';

import { awaitExport, makeFolderBeside, saveArchive } from '../await-export.ts';
import type { Context } from '../context.ts';
import { type RealmFlags, oneArgument, realmFlags } from '../flags.ts';

interface Flags extends RealmFlags {
  id?: number;
  format: 'parley' | 'zulip';
}

async function run(this: Context, { realm: name, id: begun, format }: Flags, file: string): Promise<void> {
  await using deployment = await this.open();
  const realm = await deployment.getRealm(name);
  const { engine } = deployment;
  const { id } =
    begun === undefined
      ? await engine.perform(realm.id, actions.exports.requestEverything, { realm, now: new Date() })
      : { id: begun };
  this.process.stderr.write(`Export ${id} of ${realm.name} …\n`);
  const row = await awaitExport(this, deployment, realm, id);
  if (format === 'zulip') {
    await using beside = await makeFolderBeside(file);
    const [own, form] = [join(beside.path, 'parley.tar.gz'), join(beside.path, 'zulip.tar.gz')];
    await saveArchive(this, deployment, row, own);
    this.process.stderr.write('Writing it in the form of Zulip …\n');
    const { messages, leftOut } = await writeZulipForm(own, form);
    await rename(form, file);
    const lost = Object.entries(leftOut).map(([what, count]) => `  ${count} ${what}`);
    return this.show(
      { realm: realm.name, id, file, messages, left_out: leftOut },
      [
        `${file}: ${messages} messages.`,
        ...(lost.length > 0 ? ['Without a place in this form:', ...lost] : []),
      ].join('\n'),
    );
  }
  const { bytes } = await saveArchive(this, deployment, row, file);
  this.show(
    { realm: realm.name, id, file, bytes, messages: row.messages },
    `${file}: ${row.messages} messages, ${bytes} bytes. The archive contains password hashes: protect it like the database.`,
  );
}

export const exportCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...realmFlags,
      id: {
        kind: 'parsed',
        parse: Number,
        optional: true,
        placeholder: 'number',
        brief: 'Wait for this export, which was requested before',
      },
      format: {
        kind: 'enum',
        values: ['parley', 'zulip'],
        default: 'parley',
        brief: 'Form of the archive',
      },
    },
    positional: oneArgument('file', 'File to write the archive to'),
  },
  docs: {
    brief: 'Export a whole organization into an archive',
    fullDescription:
      'Workers make the archive and keep it in the file store for a week; this command waits for it and copies it into a file. Stopping the command does not stop the workers: continue waiting with --id. Deactivate the organization first if the archive must show a single moment. With --format zulip the archive is that of an export of Zulip; what has no place in it is counted (docs/importing.md).',
    customUsage: [
      'acme.tar.gz',
      'acme.tar.gz --realm acme',
      'acme.tar.gz --id 7',
      'acme.tar.gz --format zulip',
    ],
  },
});
