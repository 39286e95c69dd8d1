import { testFollowing } from './law.ts';

testFollowing('modern', {
  neverHeard: ['update_display_settings', 'update_global_notifications'],
  // It hears of topics one by one.
  neverMissed: ['muted_topics'],
});
