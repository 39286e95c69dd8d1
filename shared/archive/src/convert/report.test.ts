import { expect, test } from 'vitest';

import { because } from './reasons.ts';
import { reportHtml } from './report-html.ts';
import { reportText } from './report-text.ts';
import { Tally } from './report.ts';

test('what becomes of things is counted by reasons, which are codes with values and a sentence', () => {
  const tally = new Tally('slack');
  tally.keep('messages', 5);
  tally.drop('messages', 'twice');
  tally.leaveOut('messages', because('notice', { product: 'Slack', type: 'channel_join' }), 2);
  tally.leaveOut('messages', because('notice', { product: 'Slack', type: 'channel_join' }));
  tally.leaveOut('messages', because('notice', { product: 'Slack', type: 'channel_leave' }));
  tally.leaveOut('messages', 'deleted', 0);
  tally.change('messages', because('cut_off', { characters: 20_000 }));
  tally.noteConflict(because('two_channels', { wanted: 'ops', name: 'ops (2)' }));
  tally.note('nobody_owns');
  const report = tally.report();
  expect(report.kinds.messages).toEqual({ read: 9, kept: 4, changed: 1, leftOut: 5 });
  const leftOut = { product: 'Slack', type: 'channel_join' };
  expect(report.leftOut.map(({ count, reason, code, values }) => [count, reason, code, values])).toEqual([
    [3, 'It is a notice of Slack (channel_join)', 'notice', leftOut],
    [1, 'It occurs twice', 'twice', {}],
    [1, 'It is a notice of Slack (channel_leave)', 'notice', { ...leftOut, type: 'channel_leave' }],
  ]);
  const conflict = 'Two channels are called ops; the second is called ops (2) now.';
  const values = { wanted: 'ops', name: 'ops (2)' };
  expect(report.conflicts).toEqual([{ code: 'two_channels', values, text: conflict }]);
  expect(reportText(report).split('\n').slice(2)).toEqual([
    'Changed:',
    '  1 messages: It is longer than 20000 characters; the end is cut off',
    'Left out:',
    '  3 messages: It is a notice of Slack (channel_join)',
    '  1 messages: It occurs twice',
    '  1 messages: It is a notice of Slack (channel_leave)',
    `  ${conflict}`,
    'Nobody is an owner: name one with `parley user role`.',
  ]);
  expect(reportHtml(report)).toContain(`<li>${conflict}</li>`);
});

test('reasons beyond the five hundredth are counted together', () => {
  const tally = new Tally('rocketchat');
  for (let type = 0; type < 1000; type += 1) {
    tally.leaveOut('messages', because('notice', { product: 'Rocket.Chat', type: `t${type}` }));
  }
  tally.leaveOut('files', 'deleted');
  const { leftOut, kinds } = tally.report();
  expect(leftOut).toHaveLength(502);
  expect(leftOut[0]).toMatchObject({ code: 'other_reasons', kind: 'messages', count: 500 });
  expect(leftOut.at(-1)).toMatchObject({ code: 'other_reasons', kind: 'files', count: 1 });
  expect([kinds.messages.leftOut, kinds.files.leftOut]).toEqual([1000, 1]);
});

test('texts of an archive in a reason are short, and neither steer a terminal nor are refused by Postgres', () => {
  const type = (text: string) => because('notice', { product: 'Slack', type: text }).values['type'];
  expect(type('\u001B[31mred\u0000')).toBe('[31mred');
  expect(type(`${'a'.repeat(199)}😀`)).toBe('a'.repeat(199));
  expect(type('Team 👩‍💻 “ops”')).toBe('Team 👩‍💻 “ops”');
});
