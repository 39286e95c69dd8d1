import { Networks } from '@parley/kit';
import { describe, expect, test } from 'vitest';

import { publicOrIn } from './public-or-in.ts';

describe('networks of one’s own', () => {
  const guard = publicOrIn(Networks.parse(' 10.1.0.0/16, 192.168.7.7,fd00:1::/32 '));

  test.each(['10.1.0.1', '10.1.255.255', '192.168.7.7', 'fd00:1::5', '1.1.1.1'])('hold %s', (address) => {
    expect(guard(address)).toBe(true);
  });

  test.each([
    '10.2.0.1',
    '192.168.7.8',
    'fd00:2::5',
    '127.0.0.1',
    '169.254.169.254',
    '::ffff:10.1.0.1',
    'x',
    '',
  ])('do not hold %j', (address) => {
    expect(guard(address)).toBe(false);
  });

  test('are none unless they are named', () => {
    expect(publicOrIn(Networks.parse(''))('10.1.0.1')).toBe(false);
  });

  test.each(['10.1.0.0/33', 'localhost', '10.1', '1.1.1.1;2.2.2.2'])('are not written %j', (list) => {
    expect(Networks.safeParse(list).success).toBe(false);
  });
});
