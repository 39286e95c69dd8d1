import { testFollowing } from './law.ts';

testFollowing('oldest', {
  neverHeard: ['realm_linkifiers'],
  // It asks for the list of muted topics.
  neverMissed: ['user_topic'],
});
