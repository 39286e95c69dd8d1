import { useFragment } from '../base/router/fragment.ts';
import { isConversation } from '../base/router/narrow-kind.ts';
import { readNarrow } from '../base/router/narrow.ts';

/** As much room as the empty compose box takes, so that nothing moves when it comes. */
export function ComposeToCome() {
  const narrow = readNarrow(useFragment());
  return (
    <div class={`compose-to-come ${narrow && isConversation(narrow) ? 'of-view' : ''}`} aria-hidden="true" />
  );
}
