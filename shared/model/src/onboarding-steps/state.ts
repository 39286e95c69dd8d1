import { type Tx, tables } from '@parley/db';
import { type OnboardingStep, onboardingSteps } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { isOfUser } from '../ids.ts';

/** Returns `onboarding_steps` of POST /register: the notices that a user has yet to be shown. */
export async function onboardingStepsState(
  tx: Tx,
  user: Pick<Actor, 'id' | 'realm'>,
): Promise<OnboardingStep[]> {
  const { onboardingStepsSeen: seen } = tables;
  const rows = await tx.select({ name: seen.name }).from(seen).where(isOfUser(seen, user));
  const names = new Set(rows.map(({ name }) => name));
  return onboardingSteps
    .filter((name) => !names.has(name))
    .map((name) => ({ type: 'one_time_notice', name }));
}
