import { askFocus, openBlank } from '../../data/writing/composition.ts';
import { toChannelTarget } from '../../data/writing/target.ts';
import { composeText } from '../../strings/compose.ts';

/** Opens the compose box, with nothing in it yet. */
export const WriteButton = () => (
  <button
    type="button"
    onClick={() => {
      openBlank(toChannelTarget(null));
      askFocus('recipient');
    }}
  >
    {composeText.write}
  </button>
);
