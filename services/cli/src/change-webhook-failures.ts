import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { Context } from './context.ts';
import { type RealmFlags, realmFlags } from './flags.ts';
import { Refusal } from './refusal.ts';

export interface ChosenFailures extends RealmFlags {
  all: boolean;
}

/** Parameters of commands that do something with messages that could not be passed on. */
export const chosenFailures = {
  flags: {
    ...realmFlags,
    all: { kind: 'boolean', brief: 'All failures of the organization', default: false, withNegated: false },
  },
  positional: {
    kind: 'array',
    parameter: {
      parse(text: string): number {
        if (/^\d{1,15}$/.test(text)) return Number(text);
        throw new Error(`${text} is not an id`);
      },
      placeholder: 'id',
      brief: 'Ids, as shown by `parley webhook failures`',
    },
  },
} as const;

const perPage = 1000;

/** Replays or drops messages that could not be passed on to services of bots, and answers how many. */
export async function changeWebhookFailures(
  context: Context,
  verb: 'replay' | 'drop',
  { realm, all }: ChosenFailures,
  ids: readonly number[],
): Promise<number> {
  if (all !== (ids.length === 0))
    throw new Refusal('Name the messages.', 'Give either their ids, or --all for the whole organization.');
  await using deployment = await context.open();
  const { engine } = deployment;
  const home = await deployment.getRealm(realm);
  const operator = model.realms.operatorOf(home);
  const { replay, drop } = actions.webhookDeliveries;
  const change = async (id: number) => {
    const input = { actor: operator, id, nowMs: Date.now() };
    await engine.perform(home.id, verb === 'replay' ? replay : drop, input);
  };
  if (!all) {
    for (const id of ids) await change(id);
    return ids.length;
  }
  // From the newest to the oldest, so that what fails again meanwhile is not met again.
  let count = 0;
  for (let before: number | undefined; ;) {
    const page = await model.webhookDeliveries.listWebhookFailures(engine.db, operator, {
      before,
      limit: perPage,
    });
    for (const { id } of page) await change(id);
    count += page.length;
    if (page.length < perPage) return count;
    before = page.at(-1)?.id;
  }
}
