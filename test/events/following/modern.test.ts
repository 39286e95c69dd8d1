import { testFollowing } from './law.ts';

testFollowing('modern', {
  // A group that is deactivated is still there for it.
  neverHeard: ['update_display_settings', 'update_global_notifications', 'user_group remove'],
  // It hears of topics one by one.
  neverMissed: ['muted_topics'],
});
