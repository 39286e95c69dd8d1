import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { useCommand } from '../keys/commands.ts';
import { part } from '../live/state.ts';
import { type Narrow, channelOf, peopleOf, topicOf } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

import './compose.css';

/** Where one writes to what is shown. */
export function Compose({ narrow }: { narrow: Narrow }) {
  const [channel, topic, people] = [channelOf(narrow), topicOf(narrow), peopleOf(narrow)];
  const text = useSignal('');
  const newTopic = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = () => field.current?.focus();
  useCommand('compose', focus);
  useCommand('reply', focus);
  useCommand('send', () => (document.activeElement === field.current ? void send() : false));
  if (channel === null && people === null) return null;

  async function send(): Promise<void> {
    const content = text.peek();
    if (content.trim() === '') return;
    const place =
      channel === null
        ? { type: 'direct', to: people }
        : { type: 'channel', to: channel, topic: topic ?? newTopic.peek() };
    try {
      text.value = '';
      await connection().post('/messages', { ...place, content });
    } catch (error) {
      text.value = content;
      tellError(error);
    }
  }

  const name = channel === null ? '' : (part('subscriptions').get(channel)?.name ?? '');
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {channel !== null && topic === null && (
        <input
          aria-label={`Topic in ${name}`}
          placeholder="Topic"
          maxLength={60}
          value={newTopic.value}
          onInput={({ currentTarget }) => (newTopic.value = currentTarget.value)}
        />
      )}
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Write a message"
        rows={2}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <button type="submit" class="primary">
        Send
      </button>
    </form>
  );
}
