import { useSignal } from '@preact/signals';
import { Bell, Smile } from 'lucide-preact';

import { ChannelSign } from '../src/base/channels/channel-sign.tsx';
import { UnreadCount } from '../src/base/counts/unread-count.tsx';
import { Dialog } from '../src/base/dialogs/dialog.tsx';
import { openMenu } from '../src/base/dialogs/menu.tsx';
import { Form, Refusal } from '../src/base/forms/form.tsx';
import { SettingFields } from '../src/base/forms/setting-fields.tsx';
import { choice, number, text, toggle } from '../src/base/forms/setting-row.ts';
import { showError, showToast } from '../src/base/toasts/toasts.tsx';
import { showDialog } from '../src/data/actions/shown-dialog.ts';
import { Lightbox } from '../src/features/content/lightbox.tsx';

const nothing = () => undefined;

/** Buttons of every kind, as they are, pressed, and where nothing can be done. */
export const Buttons = () => (
  <>
    {['', 'primary', 'danger', 'quiet'].map((kind) => (
      <p key={kind} class="gallery-row">
        <button type="button" class={kind}>
          {kind || 'plain'}
        </button>
        <button type="button" class={kind} disabled>
          disabled
        </button>
        <button type="button" class={kind}>
          <Bell /> With a sign
        </button>
      </p>
    ))}
    <p class="gallery-row">
      <button type="button" class="icon-button" aria-label="Emoji">
        <Smile />
      </button>
      <button type="button" class="icon-button" aria-label="Pressed" aria-pressed>
        <Smile />
      </button>
      <button type="button" class="icon-button" aria-label="Disabled" disabled>
        <Smile />
      </button>
      <button type="button" aria-pressed>
        Pressed
      </button>
      <a class="button" href="#narrow">
        A link
      </a>
      <kbd>Ctrl</kbd> <kbd>Enter</kbd>
    </p>
  </>
);

/** Fields, and what refuses what stands in them. */
export const Fields = () => (
  <Form submit="Save" act={async () => await Promise.resolve()}>
    <label>
      Name
      <input defaultValue="Alice Chen" />
    </label>
    <label>
      Empty
      <input placeholder="Nothing yet" />
    </label>
    <label>
      Where nothing can be changed
      <input disabled defaultValue="Fixed" />
    </label>
    <label>
      One of several
      <select>
        <option>First</option>
        <option>Second</option>
      </select>
    </label>
    <label>
      Longer
      <textarea rows={2} defaultValue="Two lines" />
    </label>
    <label class="setting-toggle">
      <input type="checkbox" defaultChecked /> To check
    </label>
    <label>
      A picture
      <input type="file" />
    </label>
    <Refusal text="This name is taken. Choose another one." />
  </Form>
);

const rows = [
  toggle('on', 'Play a sound'),
  toggle('off', 'Send a digest', 'A summary of what you missed.'),
  choice('theme', 'Theme', [
    [1, 'Automatic'],
    [2, 'Dark'],
  ]),
  number('seconds', 'Seconds to wait', 1, 100),
  text('address', 'Address of a server', 200, 'For example https://meet.example.com.'),
];

/** Settings in rows, and the same where nobody may change them. */
export function Settings() {
  const values = useSignal<Record<string, unknown>>({
    on: true,
    off: false,
    theme: 1,
    seconds: 20,
    address: '',
  });
  const save = async (name: string, value: unknown) => {
    values.value = { ...values.value, [name]: value };
    await Promise.resolve();
  };
  const read = (name: string) => values.value[name];
  return (
    <>
      <SettingFields title="Notifications" rows={rows} read={read} save={save} />
      <SettingFields title="Not yours to change" rows={rows.slice(0, 2)} read={read} save={save} isDisabled />
    </>
  );
}

/** Counts and the signs of channels. */
export const Counts = () => (
  <p class="gallery-row">
    <UnreadCount count={3} /> <UnreadCount count={12} isMuted /> <UnreadCount count={2} hasMention />{' '}
    <UnreadCount count={128} isDirect />
    {['#e79ab5', '#94c849', '#9987e1', '#ffff00', '#000080'].map((color) => (
      <span key={color}>
        <ChannelSign color={color} />
        design
      </span>
    ))}
  </p>
);

const drawn = (name: string, color: string) => ({
  name,
  address: `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="${color}"/></svg>`,
  )}`,
});

const pictures = [drawn('evening.svg', '#c66'), drawn('night.svg', '#336')];

/** What opens what stands before the page. Whoever photographs the gallery presses these. */
export function Openers() {
  const isOpen = useSignal(false);
  const picture = useSignal<number | null>(null);
  return (
    <p class="gallery-row">
      <button type="button" data-opens="dialog" onClick={() => (isOpen.value = true)}>
        Open a dialog
      </button>
      <button
        type="button"
        data-opens="menu"
        onClick={({ currentTarget }) =>
          openMenu('Actions', currentTarget, [
            { name: 'Reply', act: nothing },
            { name: 'Followed', isChosen: true, act: nothing },
            { name: 'Muted', isChosen: false, act: nothing },
            { name: 'Delete…', act: nothing },
          ])
        }
      >
        Open a menu
      </button>
      <button
        type="button"
        data-opens="toasts"
        onClick={() => {
          showToast('The dark theme is on. `/light` brings back the light one.');
          showError(new Error('The file is larger than 25 MB. Choose a smaller one.'));
        }}
      >
        Show toasts
      </button>
      <button type="button" data-opens="color" onClick={() => showDialog({ kind: 'color', channelId: 1 })}>
        Choose a color
      </button>
      <button type="button" data-opens="date" onClick={() => showDialog({ kind: 'date' })}>
        Choose a day
      </button>
      <button type="button" data-opens="picture" onClick={() => (picture.value = 0)}>
        Show pictures
      </button>
      {picture.value !== null && (
        <Lightbox
          pictures={pictures}
          at={picture.value}
          onStep={(at) => (picture.value = at)}
          onClose={() => (picture.value = null)}
        />
      )}
      {isOpen.value && (
        <Dialog title="Move messages" onClose={() => (isOpen.value = false)}>
          <Fields />
        </Dialog>
      )}
    </p>
  );
}
