import { expect, test } from 'vitest';

import { readsZulipNames, withZulipNames } from './zulip-names.ts';

test.each([
  ['ZulipMobile', {}, true],
  ['zulipflutter', {}, true],
  ['ZulipTerminal', {}, true],
  ['ZulipElectron', {}, false],
  ['ZulipPython', {}, false],
  ['Unspecified', {}, false],
  ['bot', { zulip_extra_emoji: true }, true],
  ['bot', { zulip_extra_emoji: false }, false],
  ['bot', { client_capabilities: { zulip_extra_emoji: true } }, true],
  ['bot', { client_capabilities: { zulip_extra_emoji: false } }, false],
  ['bot', { client_capabilities: null }, false],
])('whether %s reads Zulip’s names, with the parameters %j: %s', (program, params, expected) => {
  expect(readsZulipNames(program, params)).toBe(expected);
});

test('the type of an emoji gets its other name wherever it is a field, and in no text', () => {
  const body = (type: string) => ({
    reactions: [{ reaction_type: type }, { reaction_type: 'realm_emoji' }],
    status: { reaction_type: type, text: '"reaction_type":"svc_extra_emoji"' },
    content: JSON.stringify({ reaction_type: 'svc_extra_emoji' }),
  });
  const renamed = withZulipNames(JSON.stringify(body('svc_extra_emoji')));
  expect(JSON.parse(renamed)).toEqual(body('zulip_extra_emoji'));
});
