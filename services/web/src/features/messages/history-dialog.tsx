import { getMessageHistory } from '@parley/client';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { own, slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { momentOf } from '../../data/places/times.ts';
import { topicName } from '../../data/places/title.ts';
import { connection, isSpectator } from '../../data/session/session.ts';
import { commonText, nameText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { historyText } from '../../strings/messages.ts';
import { Html } from '../content/index.ts';

type Snapshots = Awaited<ReturnType<typeof getMessageHistory>>;

const shown = signal<number | null>(null);

/** Whether the organization shows what messages were before. */
export const isHistoryShown = (): boolean =>
  !isSpectator() && own('realm_message_edit_history_visibility_policy') !== 'none';

/** Shows what a message was before. */
export const showHistory = (id: number): void => void (shown.value = id);

/** The history of the message of which it is wanted, if there is one. */
export function HistoryDialog() {
  const id = shown.value;
  if (id === null) return null;
  return (
    <Dialog title={historyText.title} onClose={() => (shown.value = null)}>
      <History id={id} />
    </Dialog>
  );
}

function History({ id }: { id: number }) {
  const [snapshots, setSnapshots] = useState<Snapshots | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    getMessageHistory(connection(), id)
      .then(setSnapshots)
      .catch((failure: unknown) => setError(errorText(failure)));
  }, [id]);
  if (error) return <p class="refusal-text">{error}</p>;
  if (!snapshots) return <p class="dim">{commonText.loading}</p>;
  return (
    <ol class="history" reversed>
      {snapshots.toReversed().map((snapshot) => (
        <Entry key={`${snapshot.timestamp} ${snapshot.content}`} snapshot={snapshot} />
      ))}
    </ol>
  );
}

function Entry({ snapshot }: { snapshot: Snapshots[number] }) {
  const { timestamp, user_id, topic, prev_topic, prev_stream, stream, prev_content } = snapshot;
  const channelName = (id: number) => slice('channels').get(id)?.name ?? nameText.channel(id);
  const name = user_id === null ? nameText.someone : nameOfUser(user_id);
  return (
    <li>
      <p>
        <strong>{name}</strong> <time class="dim">{momentOf(timestamp)}</time>
      </p>
      {prev_topic !== undefined && (
        <p>
          {historyText.topic} <del>{topicName(prev_topic)}</del> <ins>{topicName(topic)}</ins>
        </p>
      )}
      {prev_stream !== undefined && stream !== undefined && (
        <p>
          {historyText.channel} <del>#{channelName(prev_stream)}</del> <ins>#{channelName(stream)}</ins>
        </p>
      )}
      {(prev_content !== undefined || (prev_topic === undefined && prev_stream === undefined)) && (
        <Html class="rendered" html={snapshot.content_html_diff ?? snapshot.rendered_content} />
      )}
    </li>
  );
}
