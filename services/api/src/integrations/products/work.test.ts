import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { jira } from './jira.ts';
import { linear } from './linear.ts';
import { trello } from './trello.ts';

test('jira tells of every sample by a topic and a text', () => {
  expect(toldOf(jira)).toEqual({
    'issue created': [
      'TEA-1 The tea is cold',
      `Mona created [TEA-1](https://tea.atlassian.net/browse/TEA-1): The tea is cold
* **Type**: Bug
* **Priority**: High
* **Assignee**: Hubot
~~~ quote
Warm it.
~~~`,
    ],
    'issue changed': [
      'TEA-1 The tea is cold',
      `Mona updated [TEA-1](https://tea.atlassian.net/browse/TEA-1): The tea is cold
* **status**: Open → Done
* **assignee**: none → Mona`,
    ],
    'issue deleted': [
      'TEA-1 The tea is cold',
      'Mona deleted [TEA-1](https://tea.atlassian.net/browse/TEA-1): The tea is cold',
    ],
    commented: [
      'TEA-1 The tea is cold',
      `Mona commented on [TEA-1](https://tea.atlassian.net/browse/TEA-1):
~~~ quote
Agreed.
~~~`,
    ],
    'comment edited': [
      'TEA-1 The tea is cold',
      `Mona edited a comment on [TEA-1](https://tea.atlassian.net/browse/TEA-1):
~~~ quote
Agreed.
~~~`,
    ],
    'comment deleted': [
      'TEA-1 The tea is cold',
      'Mona deleted a comment on [TEA-1](https://tea.atlassian.net/browse/TEA-1).',
    ],
    'sprint created': [
      'Sprint 4',
      `The sprint **Sprint 4** was created.
~~~ quote
Hot tea
~~~`,
    ],
    'sprint started': [
      'Sprint 4',
      `The sprint **Sprint 4** was started.
~~~ quote
Hot tea
~~~`,
    ],
    'sprint closed': [
      'Sprint 4',
      `The sprint **Sprint 4** was closed.
~~~ quote
Hot tea
~~~`,
    ],
    'version created': [
      'versions',
      `The version **1.0** was created.
~~~ quote
First cup
~~~`,
    ],
    'version released': [
      'versions',
      `The version **1.0** was released.
~~~ quote
First cup
~~~`,
    ],
  });
});

test('linear tells of every sample by a topic and a text', () => {
  expect(toldOf(linear)).toEqual({
    'issue created': [
      'TEA-1 The tea is cold',
      `Mona created the issue [TEA-1 The tea is cold](https://linear.app/tea/issue/TEA-1).
* **Team**: Kitchen
* **State**: Todo
* **Priority**: High
* **Assignee**: Hubot
~~~ quote
Warm it.
~~~`,
    ],
    'issue changed': [
      'TEA-1 The tea is cold',
      `Mona updated the issue [TEA-1 The tea is cold](https://linear.app/tea/issue/TEA-1).
* **State**: Done
* **Priority**: High
* **Assignee**: Hubot`,
    ],
    'issue removed': ['TEA-1 The tea is cold', 'Mona removed the issue TEA-1 The tea is cold.'],
    commented: [
      'TEA-1 The tea is cold',
      `Mona created [a comment](https://linear.app/tea/issue/TEA-1#comment-1) on TEA-1 The tea is cold.
~~~ quote
Agreed.
~~~`,
    ],
    reacted: ['TEA-1 The tea is cold', 'Mona created :tea: on TEA-1 The tea is cold.'],
    'label created': ['hot', 'Mona created the issue label hot.'],
    'project created': [
      'Warm tea',
      `Mona created the project [Warm tea](https://linear.app/tea/project/warm).
~~~ quote
At last.
~~~`,
    ],
    'project update written': [
      'Warm tea',
      `Mona created [an update](https://linear.app/tea/update/1) of Warm tea.
* **Health**: onTrack
~~~ quote
Going well.
~~~`,
    ],
    'cycle created': ['#4', 'Mona created the cycle #4.'],
    'document changed': [
      'How to brew',
      'Mona updated the document [How to brew](https://linear.app/tea/document/1).',
    ],
    'initiative created': ['Better tea', 'Mona created the initiative Better tea.'],
  });
});

test('trello tells of every sample by a topic and a text', () => {
  expect(toldOf(trello)).toEqual({
    'card created': ['Tea / Buy tea', 'Mona created [Buy tea](https://trello.com/c/aBcD1234) in To do.'],
    'card copied': ['Tea / Buy tea', 'Mona copied a card to [Buy tea](https://trello.com/c/aBcD1234).'],
    'card moved': [
      'Tea / Buy tea',
      'Mona moved [Buy tea](https://trello.com/c/aBcD1234) from To do to Done.',
    ],
    'card archived': ['Tea / Buy tea', 'Mona archived [Buy tea](https://trello.com/c/aBcD1234).'],
    'card renamed': [
      'Tea / Buy tea',
      'Mona renamed [Buy tea](https://trello.com/c/aBcD1234) from Buy coffee.',
    ],
    'card described': [
      'Tea / Buy tea',
      `Mona changed the description of [Buy tea](https://trello.com/c/aBcD1234).
~~~ quote
Green.
~~~`,
    ],
    'due date set': [
      'Tea / Buy tea',
      'Mona set the due date of [Buy tea](https://trello.com/c/aBcD1234) to 2026-11-21T10:00:00.000Z.',
    ],
    'card deleted': ['Tea', 'Mona deleted a card.'],
    commented: [
      'Tea / Buy tea',
      `Mona commented on [Buy tea](https://trello.com/c/aBcD1234):
~~~ quote
Agreed.
~~~`,
    ],
    'label added': ['Tea / Buy tea', 'Mona added the label hot to [Buy tea](https://trello.com/c/aBcD1234).'],
    'label removed': [
      'Tea / Buy tea',
      'Mona removed the label hot from [Buy tea](https://trello.com/c/aBcD1234).',
    ],
    'file attached': [
      'Tea / Buy tea',
      'Mona attached [menu.pdf](https://tea.example/menu.pdf) to [Buy tea](https://trello.com/c/aBcD1234).',
    ],
    'checklist added': [
      'Tea / Buy tea',
      'Mona added the checklist Steps to [Buy tea](https://trello.com/c/aBcD1234).',
    ],
    'item completed': ['Tea / Buy tea', 'Mona completed Boil of [Buy tea](https://trello.com/c/aBcD1234).'],
    'list created': ['Tea', 'Mona created the list To do.'],
    'list archived': ['Tea', 'Mona archived the list To do.'],
    'member added to a card': [
      'Tea / Buy tea',
      'Mona added Hubot to [Buy tea](https://trello.com/c/aBcD1234).',
    ],
    'member removed from a card': [
      'Tea / Buy tea',
      'Mona removed Hubot from [Buy tea](https://trello.com/c/aBcD1234).',
    ],
    'member added to the board': ['Tea', 'Mona added Hubot to the board.'],
    'member removed from the board': ['Tea', 'Mona removed Hubot from the board.'],
  });
});
