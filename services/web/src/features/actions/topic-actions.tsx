import { topicKey } from '@parley/client';
import { Bell, EllipsisVertical, Volume2, VolumeX } from 'lucide-preact';

import { openMenu } from '../../base/dialogs/menu.tsx';
import { slice } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { topicText } from '../../strings/actions.ts';
import { topicPolicyText } from '../../strings/common.ts';
import { topicItems } from './topic-menu.ts';

import './actions.css';

/** Shows the button that opens the menu of a topic. */
export function TopicActions({ stream, topic }: { stream: number; topic: string }) {
  if (isSpectator()) return null;
  const policy = slice('topics').get(topicKey(stream, topic))?.visibility_policy ?? 0;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={topicText.button(topicPolicyText[policy as keyof typeof topicPolicyText])}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => openMenu(topicText.menu, currentTarget, topicItems(stream, topic))}
    >
      {{ 1: <VolumeX />, 2: <Volume2 />, 3: <Bell /> }[policy] ?? <EllipsisVertical />}
    </button>
  );
}
