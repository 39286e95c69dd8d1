import { readForm } from '@parley/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseDontBlock, parseLastEventId, readEventsForm, readEventsQuery } from './events-parameters.ts';

test('the quick parser and the full one read every query alike', () => {
  const name = fc.constantFrom(
    'queue_id',
    'last_event_id',
    'dont_block',
    'narrow',
    'client',
    'sloow',
    'a%20b',
    '',
  );
  const value = fc.oneof(
    fc.constantFrom('', '1', 'true', 'a+b', '%22x%22', '%', 'a=b', '-1'),
    fc.webQueryParameters(),
  );
  const pair = fc.tuple(name, fc.constantFrom('=', '', '=='), value).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(pair).map((pairs) => pairs.join('&')),
      (query) => {
        expect(readEventsQuery(query)).toEqual(readEventsForm(readForm(query)));
      },
    ),
  );
});

test('the quick parser names what it does not know, and not what belongs to a registration', () => {
  const { ignored } = readEventsQuery(
    'zeal=1&queue_id=q&narrow=[]&bulk_message_deletion=true&client=x&apt=2&apt=3',
  );
  expect(ignored).toEqual(['apt', 'zeal']);
});

test('the quick parser reads JSON integers and booleans, and nothing like them', () => {
  expect([parseLastEventId(null), parseLastEventId('-1'), parseLastEventId('42')]).toEqual([-1, -1, 42]);
  for (const text of ['1.0', '1e3', '01', '"1"', 'true', '99999999999999999999', '']) {
    expect(() => parseLastEventId(text), text).toThrow(/^last_event_id (?:must be|is)/);
  }
  expect([parseDontBlock(null), parseDontBlock('true'), parseDontBlock('false')]).toEqual([
    false,
    true,
    false,
  ]);
  for (const text of ['1', '"true"', 'True', ''])
    expect(() => parseDontBlock(text), text).toThrow(/^dont_block must be/);
});
