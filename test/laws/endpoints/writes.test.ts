import { testEndpoints } from './law.ts';

testEndpoints('writes');
