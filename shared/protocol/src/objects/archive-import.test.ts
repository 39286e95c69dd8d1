import { expect, test } from 'vitest';

import { ArchivePlan } from './archive-import.ts';

const counted = { here: 0, created: 1 };
const plan = {
  source: 'slack',
  is_done: false,
  people: counted,
  channels: counted,
  emoji: counted,
  messages: counted,
  renamed_channels: [],
  left_out_rows: {},
  kinds: [],
  changed: [],
  left_out: [],
  conflicts: [],
  notes: [],
  lines_left_out: 0,
};

test('a plan that an earlier version has written down is read with its English sentences', () => {
  const old = {
    ...plan,
    left_out: [{ kind: 'messages', count: 3, reason: 'it was deleted' }],
    conflicts: ['Two channels are called ops; the second is called ops (2) now.'],
    notes: ['Nobody is an owner: name one with `parley user role`.'],
  };
  expect(ArchivePlan.parse(old)).toEqual({
    ...old,
    conflicts: [{ text: old.conflicts[0] }],
    notes: [{ text: old.notes[0] }],
  });
});

test('a code of a later version is not known, and its sentence stays', () => {
  const reason = { kind: 'messages', count: 3, reason: 'It was sung', values: { tune: 'a' } };
  const read = ArchivePlan.parse({ ...plan, left_out: [{ ...reason, code: 'sung' }] });
  expect(read.left_out).toEqual([reason]);
  const note = { text: 'Nobody is an owner.', code: 'nobody_owns', values: {} };
  expect(ArchivePlan.parse({ ...plan, notes: [note] }).notes).toEqual([note]);
});
