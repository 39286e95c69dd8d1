import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { placeBeside } from '../../base/dialogs/beside.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { own } from '../../data/live/state.ts';
import { connection, isSpectator } from '../../data/session/session.ts';
import { tourText } from '../../strings/tour.ts';

import './tour.css';

/** By which the server knows who has been shown the tour: the introduction of Zulip's own client. */
const noticeName = 'intro_inbox_view_modal';

/** What each step stands beside. */
const steps = [
  { ...tourText.steps.inbox, target: '[href="#inbox"]' },
  { ...tourText.steps.channels, target: '[href^="#narrow/channel/"]' },
  { ...tourText.steps.write, target: '.compose' },
  { ...tourText.steps.jump, target: 'header [role="search"]' },
] as const;

/** Where there is room for the columns that it speaks of. */
const hasRoom = () => matchMedia('(min-width: 60rem)').matches;

/** Shows somebody who is here for the first time what is where. It is over when they leave it, on all their devices. */
export function Tour() {
  const notices = (isSpectator() ? [] : own('onboarding_steps')) as { name: string }[] | undefined;
  const at = useSignal(0);
  const card = useRef<HTMLDivElement>(null);
  const isDue = hasRoom() && notices?.some(({ name }) => name === noticeName) === true;
  const step = isDue ? steps[at.value] : undefined;
  useLayoutEffect(() => {
    const target = step && document.querySelector(step.target);
    if (!target || !card.current) return undefined;
    placeBeside(card.current, target);
    target.classList.add('tour-target');
    return () => target.classList.remove('tour-target');
  }, [step]);
  if (!step) return null;
  const isLast = at.value === steps.length - 1;
  const leave = () => {
    at.value = steps.length;
    attempt(connection().post('/users/me/onboarding_steps', { onboarding_step: noticeName }));
  };
  return (
    <section ref={card} class="tour" aria-label={tourText.label} aria-live="polite">
      <h2>{step.title}</h2>
      <p>{step.text}</p>
      <p class="tour-foot">
        <span class="dim">{tourText.progress(at.value + 1, steps.length)}</span>
        {!isLast && (
          <button type="button" onClick={leave}>
            {tourText.leave}
          </button>
        )}
        <button type="button" class="primary" onClick={() => (isLast ? leave() : (at.value += 1))}>
          {isLast ? tourText.done : tourText.next}
        </button>
      </p>
    </section>
  );
}
