import { type MessageEdit, editMessage } from '@parley/client';
import { useSignal } from '@preact/signals';

import { Combobox } from '../../base/options/combobox.tsx';
import { best } from '../../base/options/rank.ts';
import { go } from '../../base/router/fragment.ts';
import { toTopic } from '../../base/router/narrow.ts';
import type { Moved } from '../../data/actions/shown-dialog.ts';
import { own, slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { moveText } from '../../strings/actions.ts';
import { commonText, nameText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { topicsOf } from '../compose/index.ts';

const modes = {
  change_one: moveText.one,
  change_later: moveText.later,
  change_all: moveText.all,
} as const;

/** Moves a message, or more of its topic, to another topic or channel. */
export function MoveDialog({ moved, onDone }: { moved: Moved; readonly onDone: () => void }) {
  const channels = [...slice('subscriptions').values()].sort((a, b) => a.name.localeCompare(b.name));
  const channelId = useSignal(moved.channelId);
  const topic = useSignal(moved.topic);
  const mode = useSignal<keyof typeof modes>(moved.isWholeTopic ? 'change_all' : 'change_later');
  const notifiesOld = useSignal(false);
  const notifiesNew = useSignal(true);
  const error = useSignal('');
  const isSame = channelId.value === moved.channelId && topic.value.trim() === moved.topic;

  async function move(): Promise<void> {
    const edit: MessageEdit = {
      propagate: mode.peek(),
      notifiesOld: notifiesOld.peek(),
      notifiesNew: notifiesNew.peek(),
    };
    if (channelId.peek() !== moved.channelId) edit.channelId = channelId.peek();
    if (topic.peek().trim() !== moved.topic) edit.topic = topic.peek().trim();
    try {
      await editMessage(connection(), moved.id, edit);
      onDone();
      const name = channels.find(({ stream_id }) => stream_id === channelId.peek())?.name ?? '';
      if (moved.isWholeTopic) go(toTopic(channelId.peek(), name, topic.peek().trim(), { with: moved.id }));
    } catch (failure) {
      error.value = errorText(failure);
    }
  }

  return (
    <form
      class="move-dialog"
      onSubmit={(event) => {
        event.preventDefault();
        void move();
      }}
    >
      <label>
        {moveText.channel}{' '}
        <select
          value={String(channelId.value)}
          onChange={({ currentTarget }) => (channelId.value = Number(currentTarget.value))}
        >
          {channels.map(({ stream_id, name }) => (
            <option key={stream_id} value={stream_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Combobox
        label={moveText.topic}
        placeholder={commonText.topic}
        maxLength={Number(own('max_topic_length'))}
        value={topic.value}
        options={best(topic.value, topicsOf(channelId.value), (one) => [one])
          .filter((one) => one !== topic.value)
          .map((one) => ({ key: one, label: one || nameText.generalChat, text: one }))}
        onText={(text) => (topic.value = text)}
        onChoose={({ text }) => (topic.value = text)}
      />
      {!moved.isWholeTopic && (
        <select
          aria-label={moveText.scope}
          value={mode.value}
          onChange={({ currentTarget }) => (mode.value = currentTarget.value as keyof typeof modes)}
        >
          {Object.entries(modes).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
      <label>
        <input
          type="checkbox"
          checked={notifiesOld.value}
          onChange={({ currentTarget }) => (notifiesOld.value = currentTarget.checked)}
        />{' '}
        {moveText.notifyOld}
      </label>
      <label>
        <input
          type="checkbox"
          checked={notifiesNew.value}
          onChange={({ currentTarget }) => (notifiesNew.value = currentTarget.checked)}
        />{' '}
        {moveText.notifyNew}
      </label>
      {error.value && <p class="refusal-text">{error.value}</p>}
      <button type="submit" class="primary" disabled={isSame}>
        {moveText.submit}
      </button>
    </form>
  );
}
