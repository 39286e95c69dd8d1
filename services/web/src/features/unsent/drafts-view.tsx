import { Empty } from '../../base/states/empty.tsx';
import { attempt } from '../../data/actions/verbs.ts';
import { slice, peek } from '../../data/live/state.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { askFocus, openDraft, sending } from '../../data/writing/composition.ts';

import './scheduled.css';
import { isBlank } from '../../data/writing/draft.ts';
import { drafts } from '../../data/writing/store.ts';
import { forgetDraft } from '../../data/writing/sync.ts';
import { nameOf } from '../../data/writing/target.ts';
import { commonText } from '../../strings/common.ts';
import { draftText } from '../../strings/drafts.ts';
import { viewText } from '../../strings/views.ts';
import { WriteButton } from './write-button.tsx';

/** Lists the drafts, newest first. */
export function DraftsView() {
  const underway = new Set([...sending.value.values()].map(({ id }) => id));
  const shown = [...drafts.value.values()]
    .filter((draft) => !isBlank(draft) && !underway.has(draft.id))
    .sort((a, b) => b.timestamp - a.timestamp);
  for (const name of ['subscriptions', 'channels', 'users'] as const) slice(name);
  return (
    <div class="plain-page">
      <h1>{viewText.drafts}</h1>
      <p>
        <a href="#scheduled">{draftText.toScheduled}</a>
      </p>
      {shown.length === 0 && (
        <Empty drawing="page" text={draftText.none}>
          <WriteButton />
        </Empty>
      )}
      <ul class="waiting">
        {shown.map((draft) => (
          <li key={draft.id}>
            <p>
              <strong dir="auto">{nameOf(draft.target, peek())}</strong>{' '}
              <span class="dim">{momentOf(draft.timestamp)}</span>
            </p>
            <p class="draft-text" dir="auto">
              {draft.content}
            </p>
            <p class="waiting-actions">
              <button
                type="button"
                class="primary"
                onClick={() => {
                  openDraft(draft);
                  askFocus();
                }}
              >
                {draftText.continue}
              </button>
              <button type="button" onClick={() => attempt(forgetDraft(connection(), draft.id))}>
                {commonText.delete}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
