import { type Message, sendSubmessage } from '@parley/client';

import { attempt } from '../../../data/actions/verbs.ts';
import { slice } from '../../../data/live/state.ts';
import { nameOfUser } from '../../../data/people/names.ts';
import { connection, isSpectator } from '../../../data/session/session.ts';
import { widgetText } from '../../../strings/actions.ts';
import { listNames } from '../../../strings/language.ts';
import { AddLine } from './add-line.tsx';
import { nextIndex, readPoll } from './poll.ts';

/** A poll: who is for what, and what else there is to be for. */
export function PollView({ message: { id, sender_id, submessages } }: { message: Message }) {
  const { question, options } = readPoll(submessages, sender_id);
  const ownId = slice('own').user_id;
  const change = (what: object) => attempt(sendSubmessage(connection(), id, what));
  return (
    <section class="widget" aria-label={widgetText.pollAbout(question)}>
      <h3 dir="auto">{question || widgetText.poll}</h3>
      <ul>
        {options.map(({ key, text, voters }) => (
          <li key={key}>
            <button
              type="button"
              aria-pressed={voters.has(ownId)}
              aria-label={widgetText.votes(text, voters.size)}
              disabled={isSpectator()}
              onClick={() => change({ type: 'vote', key, vote: voters.has(ownId) ? -1 : 1 })}
            >
              {voters.size}
            </button>
            <span dir="auto">{text}</span>
            <span class="dim">{listNames([...voters].map(nameOfUser))}</span>
          </li>
        ))}
      </ul>
      <AddLine
        label={widgetText.addOption}
        onAdd={(option) => change({ type: 'new_option', idx: nextIndex(submessages, ownId, 'idx'), option })}
      />
      {sender_id === ownId && (
        <AddLine
          label={widgetText.changeQuestion}
          onAdd={(asked) => change({ type: 'question', question: asked })}
        />
      )}
    </section>
  );
}
