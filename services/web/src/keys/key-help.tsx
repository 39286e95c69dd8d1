import { signal } from '@preact/signals';

import { Dialog } from '../shell/dialog.tsx';
import { keyPlaceText, keyText } from '../strings/keys.ts';

import './key-help.css';
import { isTaken, useCommand } from './commands.ts';
import { keysByPlace } from './table.ts';

const isShown = signal(false);

export const showKeys = () => void (isShown.value = true);

/** The overlay that lists the keys. Those of views that are not shown now are paler. */
export function KeyHelp() {
  useCommand('help', showKeys);
  if (!isShown.value) return null;
  return (
    <Dialog title={keyText.title} onClose={() => (isShown.value = false)}>
      {[...keysByPlace()].map(([where, entries]) => (
        <section key={where}>
          <h3>{keyPlaceText[where]}</h3>
          <dl class="key-help">
            {entries.map(({ command, keys, does }) => (
              <div key={command} class={isTaken(command) ? '' : 'idle'}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
