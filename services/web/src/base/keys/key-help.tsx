import { signal } from '@preact/signals';

import { keyScopeText, keyText } from '../../strings/keys.ts';
import { Dialog } from '../dialogs/dialog.tsx';

import './key-help.css';
import { isHandled, useCommand } from './commands.ts';
import { keysByScope } from './table.ts';

const isShown = signal(false);

export const showKeys = () => void (isShown.value = true);

/** The overlay that lists the keys. Those of views that are not shown now are paler. */
export function KeyHelp() {
  useCommand('help', showKeys);
  if (!isShown.value) return null;
  return (
    <Dialog title={keyText.title} onClose={() => (isShown.value = false)}>
      {[...keysByScope()].map(([scope, entries]) => (
        <section key={scope}>
          <h3>{keyScopeText[scope]}</h3>
          <dl class="key-help">
            {entries.map(({ command, keys, does }) => (
              <div key={command} class={isHandled(command) ? '' : 'idle'}>
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
