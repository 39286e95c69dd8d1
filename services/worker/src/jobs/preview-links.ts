import * as actions from '@parley/actions';
import type { Database } from '@parley/db';
import * as model from '@parley/model';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { type Outbound, Unreachable } from '../outbound/client.ts';
import { fetchPreview } from '../pages/fetch-preview.ts';

/** How many pages of one message are looked at once. */
const pageConcurrency = 4;
/** A message that is edited more often than this while its pages are looked is left to the sweep. */
const attemptsMax = 3;

/** Fetches the pages that a message links to, and adds their previews to the message. */
export const previewLinksJob: OnDemandJob = {
  name: 'preview-links',
  concurrency: 8,
  async run(deps, id, realmId) {
    const { engine, site } = deps;
    // A node of the version before does not say the realm. The sweep enqueues its messages again.
    if (realmId === undefined) return { looked: 0 };
    const db = await engine.dbOf(realmId);
    let looked = 0;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const due = await model.messages.findMessageAwaitingPreviews(db, site, { realmId, messageId: id });
      if (!due) break;
      const { realm, pages, content } = due;
      looked += await fetchStalePages(deps, db, { realm, pages });
      const { events, isOutdated } = await engine.perform(realm.id, actions.messages.addPreviews, {
        realm,
        id,
        content,
      });
      if (!isOutdated) return { looked, shown: events.length };
    }
    return { looked };
  },
};

async function fetchStalePages(
  { outbound, clock }: JobDeps,
  db: Database,
  { realm, pages }: Pick<model.messages.MessageAwaitingPreviews, 'realm' | 'pages'>,
): Promise<number> {
  const stale = await model.linkPreviews.listStalePageAddresses(db, realm, pages, new Date(clock.nowMs()));
  const remaining = [...stale];
  const fetchNext = async () => {
    for (let address = remaining.shift(); address !== undefined; address = remaining.shift()) {
      const result = await fetchPage(outbound, address);
      await actions.linkPreviews.save(db, realm, { address, result, now: new Date(clock.nowMs()) });
    }
  };
  await Promise.all(Array.from({ length: pageConcurrency }, fetchNext));
  return stale.length;
}

async function fetchPage(outbound: Outbound, address: string): Promise<actions.linkPreviews.PageResult> {
  try {
    return await fetchPreview(outbound, address);
  } catch (error) {
    if (error instanceof Unreachable) return 'unreached';
    throw error;
  }
}
