import { userSettingRows } from '@parley/protocol';
import { expect } from 'vitest';

import type { Json } from '../../support/index.ts';

/** For each setting a value other than its default. */
export function otherSettings(
  isWanted: (row: (typeof userSettingRows)[number][1]) => boolean = () => true,
): Json {
  const candidates = [true, false, 1, 2, 3, 'always', 'never', 'text', 'all_messages', 'bell', 'de'];
  return Object.fromEntries(
    userSettingRows
      .filter(([, row]) => isWanted(row))
      .map(([name, { schema, default: usual }]) => {
        const other = candidates.find((value) => value !== usual && schema.safeParse(value).success);
        expect(other, name).toBeDefined();
        return [name, other];
      }),
  );
}
