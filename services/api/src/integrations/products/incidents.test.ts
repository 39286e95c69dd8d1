import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { statuspage } from './statuspage.ts';

test('opsgenie tells of every sample by a topic and a text', () => {
  expect(toldOf(opsgenie)).toEqual({
    Create: [
      'The kettle is cold',
      `:rotating_light: New alert [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details)
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water
~~~ quote
It has been for a minute.
~~~`,
    ],
    Acknowledge: [
      'The kettle is cold',
      `:eyes: Acknowledged [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    UnAcknowledge: [
      'The kettle is cold',
      `:rotating_light: No longer acknowledged [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    Close: [
      'The kettle is cold',
      `:check: Closed [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    Escalate: [
      'The kettle is cold',
      `:warning: Escalated [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    AddNote: [
      'The kettle is cold',
      `Note on [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water
~~~ quote
On my way.
~~~`,
    ],
    AssignOwnership: [
      'The kettle is cold',
      `Assigned [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **To**: hubot@tea.example
* **Tags**: kitchen, hot water`,
    ],
    TakeOwnership: [
      'The kettle is cold',
      `Taken over [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **To**: mona@tea.example
* **Tags**: kitchen, hot water`,
    ],
    AddTeam: [
      'The kettle is cold',
      `Team added to [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **To**: Tea ladies
* **Tags**: kitchen, hot water`,
    ],
    AddRecipient: [
      'The kettle is cold',
      `Recipient added to [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **To**: hubot@tea.example
* **Tags**: kitchen, hot water`,
    ],
    AddTags: [
      'The kettle is cold',
      `Tags added to [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    RemoveTags: [
      'The kettle is cold',
      `Tags removed from [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    UpdatePriority: [
      'The kettle is cold',
      `Priority changed of [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P1
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    Snooze: [
      'The kettle is cold',
      `:zzz: Snoozed [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
    Delete: [
      'The kettle is cold',
      `:wastebasket: Deleted [#23 The kettle is cold](https://app.opsgenie.com/alert/detail/052652ac-5d1c-464a-812a-7dd18bbfba8c/details) by mona@tea.example
* **Priority**: P2
* **Entity**: kettle-1
* **Tags**: kitchen, hot water`,
    ],
  });
});

test('pagerduty tells of every sample by a topic and a text', () => {
  expect(toldOf(pagerduty)).toEqual({
    'incident.triggered': [
      'Kettles',
      `:rotating_light: Triggered [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Urgency**: high
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.acknowledged': [
      'Kettles',
      `:eyes: Acknowledged [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.unacknowledged': [
      'Kettles',
      `:rotating_light: No longer acknowledged [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.resolved': [
      'Kettles',
      `:check: Resolved [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.reopened': [
      'Kettles',
      `:rotating_light: Reopened [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.escalated': [
      'Kettles',
      `:warning: Escalated [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona
* **Escalation policy**: Tea ladies`,
    ],
    'incident.delegated': [
      'Kettles',
      `Delegated [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.reassigned': [
      'Kettles',
      `Reassigned [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.priority_updated': [
      'Kettles',
      `Priority changed [#2 The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Service**: Kettles
* **Priority**: P1
* **Assigned to**: Mona`,
    ],
    'incident.annotated': [
      'The kettle is cold',
      `Note on [The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
~~~ quote
On my way.
~~~`,
    ],
    'incident.responder.added': [
      'The kettle is cold',
      `Responder asked for [The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Responder**: Hubot
~~~ quote
Please help.
~~~`,
    ],
    'incident.responder.replied': [
      'The kettle is cold',
      `A responder replied for [The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
* **Responder**: Hubot
~~~ quote
Please help.
~~~`,
    ],
    'incident.status_update_published': [
      'The kettle is cold',
      `Status of [The kettle is cold](https://tea.pagerduty.com/incidents/PGR0VU2) by Mona
~~~ quote
Warm again.
~~~`,
    ],
    'service.created': [
      'Kettles',
      'The service [Kettles](https://tea.pagerduty.com/services/PF9KMXH) was created by Mona.',
    ],
    'service.updated': [
      'Kettles',
      'The service [Kettles](https://tea.pagerduty.com/services/PF9KMXH) was updated by Mona.',
    ],
    'service.deleted': [
      'Kettles',
      'The service [Kettles](https://tea.pagerduty.com/services/PF9KMXH) was deleted by Mona.',
    ],
    'pagey.ping': ['PagerDuty', 'PagerDuty sends here from now on.'],
  });
});

test('statuspage tells of every sample by a topic and a text', () => {
  expect(toldOf(statuspage)).toEqual({
    'incident investigated': [
      'Cold tea',
      `:warning: [Cold tea](https://stspg.example/lbkh): **investigating**, impact major
~~~ quote
We look for the reason.
~~~`,
    ],
    'incident resolved': [
      'Cold tea',
      `:check: [Cold tea](https://stspg.example/lbkh): **resolved**, impact major
~~~ quote
The tea is warm.
~~~`,
    ],
    'component changed': ['Kettles', ':rotating_light: **Kettles** is major outage (was operational).'],
  });
});
