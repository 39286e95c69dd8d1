import { expect, test } from 'vitest';

import { mentionKind } from './mention-kind.ts';

const named = '<p><span class="user-mention" data-user-id="7">@Ann</span></p>';
const silent = '<p><span class="user-mention silent" data-user-id="7">Ann</span></p>';
const group = '<p><span class="user-group-mention" data-user-group-id="3">@team</span></p>';

test.each([
  ['by name', ['read', 'mentioned'], named, 'you'],
  ['by a group', ['mentioned'], group, 'group'],
  ['by a group beside a silent mention', ['mentioned'], silent + group, 'group'],
  ['by both', ['mentioned'], group + named, 'you'],
  ['as one of all', ['wildcard_mentioned'], '<p>@all</p>', 'group'],
  ['as one of a channel', ['stream_wildcard_mentioned'], '<p>@channel</p>', 'group'],
  ['not at all', ['read'], named, null],
])('a reader is mentioned %s', (_, flags, content, kind) => {
  expect(mentionKind({ flags, content }, 7)).toBe(kind);
});
