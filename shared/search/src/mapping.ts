/**
 * Returns what an index is made of. Messages are there by the keys that Postgres makes of them, as they are: so the same words
 * in the same languages, identifiers and runs of characters are found, and the engine analyzes nothing. It keeps no texts.
 */
export const indexBody = (alias: string): object => ({
  aliases: { [alias]: {} },
  settings: {
    index: {
      // Without it, an index that nobody has searched for a while is refreshed only when somebody does.
      refresh_interval: '1s',
      // The newest come first, so a search that has enough of them ends.
      'sort.field': 'id',
      'sort.order': 'desc',
    },
  },
  mappings: {
    dynamic: 'strict',
    _source: { enabled: false },
    properties: {
      generation: { type: 'keyword' },
      id: { type: 'long' },
      keys: { type: 'keyword', doc_values: false },
    },
  },
});
