import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { json } from './json.ts';
import { homeAssistant, ifttt, zapier } from './messages.ts';
import { slackIncoming } from './slack-incoming.ts';

test('homeAssistant tells of every sample by a topic and a text', () => {
  expect(toldOf(homeAssistant)).toEqual({
    message: ['Garden', 'The gate is open'],
  });
});

test('ifttt tells of every sample by a topic and a text', () => {
  expect(toldOf(ifttt)).toEqual({
    message: ['Weather', 'It rains. Have some tea.'],
  });
});

test('zapier tells of every sample by a topic and a text', () => {
  expect(toldOf(zapier)).toEqual({
    message: ['Orders', '**Mona** ordered two cups'],
  });
});

test('json tells of every sample by a topic and a text', () => {
  expect(toldOf(json)).toEqual({
    anything: [
      'JSON',
      `~~~ json
{
  "tea": "green",
  "cups": 2
}
~~~`,
    ],
  });
});

test('slackIncoming tells of every sample by a topic and a text', () => {
  expect(toldOf(slackIncoming)).toEqual({
    message: [
      'tea',
      `## The tea

**hot** & ~~cold~~, *says* [the kettle](https://ex.org/tea) to @U123
**Kind**
Green

---

now

## [A cup](https://ex.org/cup)
@here is one
**Size**: L`,
    ],
  });
});
