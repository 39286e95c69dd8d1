import { endpoints, nameOf } from '@parley/api';
import { expect, test } from 'vitest';

import { requests } from '../resources/index.ts';
import { testEndpoints } from './law.ts';

testEndpoints('reads');

test('every endpoint has a request to start from', () => {
  expect(Object.keys(requests).sort()).toEqual(endpoints.map(nameOf).sort());
});
