import { testFollowing } from './law.ts';

testFollowing();
