import { catalogue } from './catalogue.ts';

/** The emoji picker. */
export const emojiText = catalogue('emoji', {
  title: 'Emoji',
  search: 'Search emoji',
  placeholder: 'Search by name',
  none: 'No emoji found.',
  failed: 'Couldn’t load the emoji.',
});
