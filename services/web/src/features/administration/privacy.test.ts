import { expect, test } from 'vitest';

import { type Privacy, privacies, privacyOf } from './privacy.ts';

test.each(Object.keys(privacies) as Privacy[])('%s is read as it is written', (name) => {
  const { is_private: invite_only, ...fields } = privacies[name];
  expect(privacyOf({ invite_only, ...fields })).toBe(name);
});
