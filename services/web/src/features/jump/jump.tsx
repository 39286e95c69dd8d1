import { signal } from '@preact/signals';

import { useCommand } from '../../base/keys/commands.ts';
import { hasState } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { Palette } from './palette.tsx';

import './jump.css';

const isShown = signal(false);

/** The palette that leads anywhere, while somebody has asked for it by its key. */
export function Jump() {
  useCommand('jump', () => {
    if (!hasState() || isSpectator()) return false;
    isShown.value = true;
    return true;
  });
  if (!isShown.value) return null;
  return <Palette onClose={() => (isShown.value = false)} />;
}
