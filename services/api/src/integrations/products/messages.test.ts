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
    'text, blocks and attachments': [
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
    'rich text and buttons': [
      '(no topic)',
      `The ***tea*** is ~~cold~~ says @U123 in #C45: [warm it](https://ex.org/tea):tea:@here\`kettle --on\`

1. Boil
2. Pour

> Hot
> and green

~~~
brew()
~~~

[A cup](https://ex.org/cup.png)

**As it is**

Order 7
[Open](https://ex.org/7)

[Deploy](https://ex.org/deploy)`,
    ],
    'an attachment': [
      '(no topic)',
      `Build finished

[Mona](https://ex.org/mona)
It **failed**.
[Log](https://ex.org/log)
CI`,
    ],
  });
});
