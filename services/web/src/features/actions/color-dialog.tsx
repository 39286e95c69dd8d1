import { setSubscription } from '../../data/actions/channel-verbs.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { slice } from '../../data/live/state.ts';
import { channelMenuText } from '../../strings/channels.ts';

/** Hues around the circle; channels are shown in one lightness whatever they are. */
const colors = Object.entries(channelMenuText.colors);

/** Lets the reader choose the color of a channel. */
export function ColorDialog({ channelId, onDone }: { channelId: number; onDone: () => void }) {
  const now = slice('subscriptions').get(channelId)?.color;
  const choose = (color: string) => {
    attempt(setSubscription(channelId, 'color', color));
    onDone();
  };
  return (
    <>
      <div class="color-choice" role="group" aria-label={channelMenuText.suggested}>
        {colors.map(([color, name]) => (
          <button
            key={color}
            type="button"
            class="icon-button channel-color"
            style={{ '--channel-color': color }}
            aria-label={name}
            title={name}
            aria-pressed={color === now}
            onClick={() => choose(color)}
          >
            <span class="color-sample" />
          </button>
        ))}
      </div>
      <label class="setting-toggle">
        <input type="color" value={now ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)} />{' '}
        {channelMenuText.otherColor}
      </label>
    </>
  );
}
