import { useSignal } from '@preact/signals';
import { X } from 'lucide-preact';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';

import { Combobox } from '../../base/options/combobox.tsx';
import { best } from '../../base/options/rank.ts';
import { own, peek, slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { pictureOf } from '../../data/people/picture-of.ts';
import { askFocus, focusAsked } from '../../data/writing/composition.ts';
import type { Target } from '../../data/writing/target.ts';
import { topicRuleOf } from '../../data/writing/topic-rule.ts';
import { commonText, nameText } from '../../strings/common.ts';
import { recipientText } from '../../strings/compose.ts';
import { channels as suggestChannels, peopleFirst, topicsOf } from './complete/suggestions.ts';

interface RecipientsProps {
  target: Target;
  readonly onTarget: (target: Target) => void;
}

/** Shows the fields for the recipients of a message: a channel and a topic, or people. */
export const Recipients = memo(({ target, onTarget }: RecipientsProps) =>
  target.kind === 'channel' ? (
    <ChannelRecipient target={target} onTarget={onTarget} />
  ) : (
    <PeopleRecipient target={target} onTarget={onTarget} />
  ),
);

type Of<Kind> = { target: Extract<Target, { kind: Kind }>; readonly onTarget: (target: Target) => void };

function ChannelRecipient({ target, onTarget }: Of<'channel'>) {
  const { channelId, topic } = target;
  const channel =
    channelId === null
      ? undefined
      : (slice('subscriptions').get(channelId) ?? slice('channels').get(channelId));
  const name = channel?.name ?? '';
  const typed = useSignal<string | null>(null);
  const topicField = useRef<HTMLInputElement>(null);
  const channelField = useRef<HTMLInputElement>(null);
  useFocus(() => (channelId === null ? channelField.current : topicField.current));
  const rule = topicRuleOf(channelId);
  return (
    <>
      <Combobox
        label={recipientText.channel}
        placeholder={recipientText.channel}
        field={channelField}
        value={typed.value ?? (name && `#${name}`)}
        options={() => suggestChannels((typed.value ?? '').replace(/^#/, ''))}
        onText={(text) => (typed.value = text)}
        onChoose={({ key }) => {
          typed.value = null;
          const chosen = Number(key);
          onTarget({ ...target, channelId: chosen, ...(topicRuleOf(chosen) === 'none' && { topic: '' }) });
          topicField.current?.focus();
        }}
      />
      {rule !== 'none' && (
        <Combobox
          label={name ? recipientText.topicIn(name) : commonText.topic}
          placeholder={rule === 'named' ? recipientText.topicRequired : commonText.topic}
          field={topicField}
          maxLength={Number(own('max_topic_length'))}
          value={topic}
          options={() =>
            best(topic, channelId === null ? [] : topicsOf(channelId), (one) => [one])
              .filter((one) => one !== topic)
              .map((one) => ({ key: one, label: one || nameText.generalChat, text: one }))
          }
          onText={(text) => onTarget({ ...target, topic: text })}
          onChoose={({ text }) => {
            onTarget({ ...target, topic: text });
            askFocus();
          }}
          onEnter={() => askFocus()}
        />
      )}
    </>
  );
}

function PeopleRecipient({ target, onTarget }: Of<'direct'>) {
  const typed = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useFocus(() => field.current);
  const ownId = own('user_id');
  const { userIds } = target;
  const suggestions = () => {
    if (typed.value === '' && userIds.length > 0) return [];
    const others = [...peek().users.values()].filter(({ user_id }) => !userIds.includes(user_id));
    const found = best(typed.value, others, ({ full_name }) => [full_name], 8, peopleFirst(null));
    return found.map((one) => ({
      key: String(one.user_id),
      label: one.full_name,
      text: one.full_name,
      person: pictureOf(one),
    }));
  };
  const set = (ids: readonly number[]) => {
    const others = ids.filter((id) => id !== ownId);
    onTarget({ kind: 'direct', userIds: others.length > 0 ? others : ids });
  };
  return (
    <div class="people-recipient">
      {userIds.map((id) => {
        const name = nameOfUser(id);
        return (
          <span key={id} class="recipient">
            {name}
            <button
              type="button"
              class="icon-button"
              aria-label={commonText.removeName(name)}
              onClick={() => set(userIds.filter((other) => other !== id))}
            >
              <X />
            </button>
          </span>
        );
      })}
      <Combobox
        label={recipientText.people}
        placeholder={recipientText.addPeople}
        field={field}
        value={typed.value}
        options={suggestions}
        onText={(text) => (typed.value = text)}
        onChoose={({ key }) => {
          typed.value = '';
          set([...userIds, Number(key)]);
        }}
        onEnter={() => askFocus()}
        onEmptyBackspace={() => set(userIds.slice(0, -1))}
      />
    </div>
  );
}

/** Focuses a field when the recipients are to be chosen. */
function useFocus(field: () => HTMLInputElement | null): void {
  const { field: wanted, times } = focusAsked.value;
  useEffect(() => {
    if (wanted === 'recipient' && times > 0) field()?.focus();
  }, [times]);
}
