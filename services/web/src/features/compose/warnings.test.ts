import { expect, test } from 'vitest';

import { mentionsAll } from './warnings.ts';

test.each(['@**all** come', 'Well (@**everyone**)', 'a\n@**channel**', '@**topic**'])(
  '%j is for everyone',
  (text) => expect(mentionsAll(text)).toBe(true),
);

test.each(['@**Alice**', '`@**all**`', '```\n@**all**\n```', '@_**all**', 'a@**all**', '@*all*'])(
  '%j is not',
  (text) => expect(mentionsAll(text)).toBe(false),
);
