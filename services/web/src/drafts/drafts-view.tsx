import { attempt } from '../actions/verbs.ts';
import { askFocus, openDraft, sending } from '../compose/composition.ts';
import { nameOf } from '../compose/target.ts';
import { slice, peek } from '../live/state.ts';
import { momentOf } from '../messages/times.ts';

import '../scheduled/scheduled.css';
import { connection } from '../session/session.ts';
import { commonText } from '../strings/common.ts';
import { draftText } from '../strings/drafts.ts';
import { viewText } from '../strings/views.ts';
import { isBlank } from './draft.ts';
import { drafts } from './store.ts';
import { forgetDraft } from './sync.ts';

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
      {shown.length === 0 && <p class="dim">{draftText.none}</p>}
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
