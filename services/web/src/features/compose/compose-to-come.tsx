import { useFragment } from '../../base/router/fragment.ts';
import { isConversation } from '../../base/router/narrow-kind.ts';
import { readNarrow } from '../../base/router/narrow.ts';
import { composeText } from '../../strings/compose.ts';

import './compose.css';

/** As much room as the empty compose box takes, so that nothing moves when it comes. */
export function ComposeToCome() {
  const narrow = readNarrow(useFragment());
  if (narrow && isConversation(narrow)) {
    return (
      <div class="compose is-folded is-of-view" aria-hidden="true">
        <div class="compose-card" />
      </div>
    );
  }
  return (
    <div class="compose compose-closed" aria-hidden="true">
      <button type="button" disabled>
        {composeText.toChannel}
      </button>
    </div>
  );
}
