import { hasState, userSetting } from '../live/state.ts';

/** How the person wants to see emoji: drawn, or as their names. Whoever has not signed in sees them drawn. */
export const emojiSet = (): 'drawn' | 'text' =>
  hasState() && userSetting('emojiset') === 'text' ? 'text' : 'drawn';
