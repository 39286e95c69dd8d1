import { signal } from '@preact/signals';

import { Dialog } from '../shell/dialog.tsx';
import { isTaken, useCommand } from './commands.ts';

import './key-help.css';
import { keysByPlace } from './table.ts';

const isShown = signal(false);

export const showKeys = () => void (isShown.value = true);

/** The overlay that lists the keys. Those of views that are not shown now are paler. */
export function KeyHelp() {
  useCommand('help', showKeys);
  if (!isShown.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (isShown.value = false)}>
      {[...keysByPlace()].map(([where, entries]) => (
        <section key={where}>
          <h3>{where[0]?.toUpperCase() + where.slice(1)}</h3>
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
