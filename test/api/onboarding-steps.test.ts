import { expect, test } from 'vitest';

import { type Person, done, outcomeOf, realm } from '../support/index.ts';

const mark = (by: Person, onboarding_step: string) =>
  by.post('/users/me/onboarding_steps', { onboarding_step });

test('a notice is shown once, on all clients of a person', async () => {
  const { alice, bob, bot } = await realm();
  const phone = await alice.listen();
  const register = (by: Person) => by.post('/register', { fetch_event_types: ['onboarding_steps'] });
  const all = await register(alice);
  expect(all).toMatchObject({ navigation_tour_video_url: null });
  expect(all.onboarding_steps[1]).toEqual({ type: 'one_time_notice', name: 'intro_inbox_view_modal' });
  expect(await mark(alice, 'intro_inbox_view_modal')).toEqual(done);
  expect(await mark(alice, 'intro_inbox_view_modal')).toEqual(done);
  const left = all.onboarding_steps.toSpliced(1, 1);
  expect(await phone.hears()).toMatchObject([{ type: 'onboarding_steps', onboarding_steps: left }]);
  expect((await register(alice)).onboarding_steps).toEqual(left);
  expect((await register(bob)).onboarding_steps).toEqual(all.onboarding_steps);
  expect(outcomeOf(await mark(alice, 'x\0'))).toBe('Unknown onboarding_step: x\0');
  expect(outcomeOf(await mark(bot, 'intro_inbox_view_modal'))).toBe(
    'This endpoint does not accept bot requests.',
  );
});
