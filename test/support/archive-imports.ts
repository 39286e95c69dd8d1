import { randomBytes } from 'node:crypto';

import * as actions from '@parley/actions';
import type { ArchivePlan } from '@parley/protocol';

import type { Person } from './person.ts';
import { getWorld } from './world.ts';

const plan: ArchivePlan = {
  source: 'slack',
  is_done: false,
  people: { here: 1, created: 2 },
  channels: { here: 0, created: 3 },
  emoji: { here: 0, created: 0 },
  messages: { here: 0, created: 4 },
  renamed_channels: [{ name: 'ops', as: 'ops (imported)' }],
  left_out_rows: {},
  kinds: [{ kind: 'messages', read: 5, kept: 4, changed: 0, left_out: 1 }],
  changed: [],
  left_out: [
    {
      kind: 'messages',
      count: 1,
      reason: 'It is a notice of Slack (channel_join)',
      code: 'notice',
      values: { product: 'Slack', type: 'channel_join' },
    },
  ],
  conflicts: [],
  notes: [],
  lines_left_out: 0,
};

/** As if an owner had sent an archive and a worker had planned its import. Answers with the id. */
export async function makeImport({ realm, actor }: Person): Promise<number> {
  const { engine } = await getWorld();
  const now = new Date();
  const uploadId = randomBytes(24).toString('base64url');
  const archive = { uploadId, fileName: 'acme.zip', source: null, bytes: 3, bytesMax: 3, now };
  await engine.perform(realm.id, actions.archiveImports.announce, { actor, ...archive });
  const piece = { uploadId, start: 0, bytes: 3, name: '0', now };
  const { jobs } = await engine.perform(realm.id, actions.archiveImports.append, { actor, piece });
  const id = jobs?.[0]?.id ?? 0;
  const until = new Date(now.getTime() + 60_000);
  const { taken } = await engine.perform(realm.id, actions.archiveImports.takeUp, { realm, id, now, until });
  if (!taken) throw new Error(`Import ${id} cannot be taken up.`);
  await engine.perform(realm.id, actions.archiveImports.finishPlan, { lease: taken.of, plan, now });
  return id;
}
