/** The emoji picker. */
export const emojiText = {
  title: 'Emoji',
  search: 'Search emoji',
  placeholder: 'Search by name',
  none: 'No emoji found.',
  failed: 'Couldn’t load the emoji.',
};
