import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, events, onboardingSteps, to } from '@parley/protocol';

import { lockUser } from '../lock.ts';

/**
 * Records that the actor has seen a one-time notice.
 *
 * @throws BAD_REQUEST for a bot, or a notice that does not exist
 */
export async function markSeen(
  tx: Tx,
  { actor, step }: { actor: Actor; step: string },
): Promise<ActionResult> {
  model.permissions.assertHuman(actor);
  const name = onboardingSteps.find((known) => known === step);
  if (name === undefined) throw new ApiError('BAD_REQUEST', `There is no onboarding step called '${step}'.`);
  await lockUser(tx, actor);
  const row = { realmId: actor.realm.id, userId: actor.id, name };
  const seen = await tx.insert(tables.onboardingStepsSeen).values(row).onConflictDoNothing().returning();
  if (seen.length === 0) return { events: [] };
  const event = events.onboardingSteps({
    onboarding_steps: await model.onboardingSteps.onboardingStepsState(tx, actor),
  });
  return { events: [to.user(actor, event)] };
}
markSeen.actionName = 'onboardingSteps.markSeen' as const;
