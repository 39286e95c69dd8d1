import { type MessageEdit, editMessage } from '@parley/client';
import { type Signal, useSignal } from '@preact/signals';

import { Combobox } from '../../base/options/combobox.tsx';
import { best } from '../../base/options/rank.ts';
import { go } from '../../base/router/fragment.ts';
import { toTopic } from '../../base/router/narrow.ts';
import type { Moved } from '../../data/actions/shown-dialog.ts';
import { own, peek, slice } from '../../data/live/state.ts';
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

type Mode = keyof typeof modes;

/** Moves a message, or more of its topic, to another topic or channel. */
export function MoveDialog({ moved, onDone }: { moved: Moved; readonly onDone: () => void }) {
  const channels = [...slice('subscriptions').values()].sort((a, b) => a.name.localeCompare(b.name));
  const { channelId, topic, mode, notifiesOld, notifiesNew, error, isSame, move } = useMove(moved, onDone);
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
        options={() =>
          best(topic.value, topicsOf(channelId.value), (one) => [one])
            .filter((one) => one !== topic.value)
            .map((one) => ({ key: one, label: one || nameText.generalChat, text: one }))
        }
        onText={(text) => (topic.value = text)}
        onChoose={({ text }) => (topic.value = text)}
      />
      {!moved.isWholeTopic && (
        <select
          aria-label={moveText.scope}
          value={mode.value}
          onChange={({ currentTarget }) => (mode.value = currentTarget.value as Mode)}
        >
          {Object.entries(modes).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Check isOn={notifiesOld} label={moveText.notifyOld} />
      <Check isOn={notifiesNew} label={moveText.notifyNew} />
      {error && <p class="refusal-text">{error}</p>}
      <button type="submit" class="primary" disabled={isSame}>
        {moveText.submit}
      </button>
    </form>
  );
}

const Check = ({ isOn, label }: { isOn: Signal<boolean>; label: string }) => (
  <label>
    <input
      type="checkbox"
      checked={isOn.value}
      onChange={({ currentTarget }) => (isOn.value = currentTarget.checked)}
    />{' '}
    {label}
  </label>
);

/** Keeps where something is to be moved, and moves it there. */
function useMove(moved: Moved, onDone: () => void) {
  const channelId = useSignal(moved.channelId);
  const topic = useSignal(moved.topic);
  const mode = useSignal<Mode>(moved.isWholeTopic ? 'change_all' : 'change_later');
  const notifiesOld = useSignal(false);
  const notifiesNew = useSignal(true);
  const error = useSignal('');

  async function move(): Promise<void> {
    const edit: MessageEdit = {
      propagate: mode.peek(),
      notifiesOld: notifiesOld.peek(),
      notifiesNew: notifiesNew.peek(),
    };
    const [channel, name] = [channelId.peek(), topic.peek().trim()];
    if (channel !== moved.channelId) edit.channelId = channel;
    if (name !== moved.topic) edit.topic = name;
    try {
      await editMessage(connection(), moved.id, edit);
      onDone();
      const channelName = peek().subscriptions.get(channel)?.name ?? '';
      if (moved.isWholeTopic) go(toTopic(channel, channelName, name, { with: moved.id }));
    } catch (failure) {
      error.value = errorText(failure);
    }
  }
  const isSame = channelId.value === moved.channelId && topic.value.trim() === moved.topic;
  return { channelId, topic, mode, notifiesOld, notifiesNew, error: error.value, isSame, move };
}
