import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { alertmanager } from './alertmanager.ts';
import { grafana } from './grafana.ts';
import { uptimekuma, uptimerobot } from './monitors.ts';
import { datadog, newrelic, zabbix } from './own-bodies.ts';
import { sentry } from './sentry.ts';

test('alertmanager tells of every sample by a topic and a text', () => {
  expect(toldOf(alertmanager)).toEqual({
    firing: [
      'CupEmpty',
      `**Firing**: [CupEmpty](http://alertmanager.example:9093/)
* :rotating_light: [The cup in the kitchen is empty](http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0) (instance=kitchen:9100)
* :check: CupEmpty (instance=garden:9100)`,
    ],
    'resolved, with more than fit': [
      'chat',
      `**Resolved**: [chat](http://alertmanager.example:9093/)
* :rotating_light: [The cup in the kitchen is empty](http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0) (alertname=CupEmpty, severity=page, instance=kitchen:9100)
* :check: CupEmpty (alertname=CupEmpty, severity=page, instance=garden:9100)

3 more alerts were left out.`,
    ],
  });
});

test('grafana tells of every sample by a topic and a text', () => {
  expect(toldOf(grafana)).toEqual({
    firing: [
      'CupEmpty',
      `**Firing**: [CupEmpty](https://grafana.example/)
* :rotating_light: [The cup in the kitchen is empty](http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0) (instance=kitchen:9100) · [panel](https://grafana.example/d/tea?viewPanel=1) · [silence](https://grafana.example/alerting/silence/new?matcher=alertname%3DCupEmpty)
* :check: CupEmpty (instance=garden:9100) · [panel](https://grafana.example/d/tea?viewPanel=1)`,
    ],
    resolved: [
      'CupEmpty',
      `**Resolved**: [CupEmpty](https://grafana.example/)
* :rotating_light: [The cup in the kitchen is empty](http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0) (instance=kitchen:9100) · [panel](https://grafana.example/d/tea?viewPanel=1) · [silence](https://grafana.example/alerting/silence/new?matcher=alertname%3DCupEmpty)
* :check: CupEmpty (instance=garden:9100) · [panel](https://grafana.example/d/tea?viewPanel=1)`,
    ],
  });
});

test('sentry tells of every sample by a topic and a text', () => {
  expect(toldOf(sentry)).toEqual({
    'issue alert': [
      'TypeError: cup is undefined',
      `:cross_mark: [TypeError: cup is undefined](https://tea.sentry.io/issues/1170820242/events/e4874d66/) in production (rule Anything new)
~~~ quote
pour(kettle)
~~~`,
    ],
    'new issue': [
      'TypeError: cup is undefined',
      `:cross_mark: New [SHOP-1](https://tea.sentry.io/issues/1170820242/): TypeError: cup is undefined
~~~ quote
pour(kettle)
~~~`,
    ],
    'issue resolved': [
      'TypeError: cup is undefined',
      ':check: Mona resolved [SHOP-1](https://tea.sentry.io/issues/1170820242/): TypeError: cup is undefined',
    ],
    'issue assigned': [
      'TypeError: cup is undefined',
      'Mona assigned Hubot to [SHOP-1](https://tea.sentry.io/issues/1170820242/): TypeError: cup is undefined',
    ],
    'issue archived': [
      'TypeError: cup is undefined',
      'Mona archived [SHOP-1](https://tea.sentry.io/issues/1170820242/): TypeError: cup is undefined',
    ],
    'issue open again': [
      'TypeError: cup is undefined',
      ':cross_mark: Mona reopened [SHOP-1](https://tea.sentry.io/issues/1170820242/): TypeError: cup is undefined',
    ],
    'metric alert': [
      'Too many errors',
      `:rotating_light: [Critical: Too many errors](https://tea.sentry.io/organizations/tea/alerts/1/)
~~~ quote
1000 events in the last 10 minutes
Filter: level:error
~~~`,
    ],
    'metric alert resolved': [
      'Too many errors',
      `:check: [Resolved: Too many errors](https://tea.sentry.io/organizations/tea/alerts/1/)
~~~ quote
1000 events in the last 10 minutes
Filter: level:error
~~~`,
    ],
    commented: [
      'shop / issue 1170820242',
      `Mona commented on issue 1170820242:
~~~ quote
Agreed.
~~~`,
    ],
    'comment deleted': ['shop / issue 1170820242', 'Mona deleted a comment on issue 1170820242.'],
    error: [
      'TypeError: cup is undefined',
      `:cross_mark: [TypeError: cup is undefined](https://tea.sentry.io/issues/1170820242/events/e4874d66/)
~~~ quote
pour(kettle)
~~~`,
    ],
    installed: ['Sentry', 'The integration was installed in Sentry.'],
  });
});

test('uptimekuma tells of every sample by a topic and a text', () => {
  expect(toldOf(uptimekuma)).toEqual({
    down: [
      'Tea shop',
      `:cross_mark: [Tea shop](https://tea.example/) is down.
~~~ quote
timeout of 48000ms exceeded
~~~`,
    ],
    up: [
      'Tea shop',
      `:check: [Tea shop](https://tea.example/) is up.
~~~ quote
200 - OK
~~~`,
    ],
    pending: [
      'Tea shop',
      `:warning: [Tea shop](https://tea.example/) does not answer, and is tried again.
~~~ quote
Request failed with status code 502
~~~`,
    ],
    maintenance: [
      'Tea shop',
      `:construction: [Tea shop](https://tea.example/) is under maintenance.
~~~ quote
Monitor under maintenance
~~~`,
    ],
    test: ['Uptime Kuma', 'Chat Testing'],
  });
});

test('uptimerobot tells of every sample by a topic and a text', () => {
  expect(toldOf(uptimerobot)).toEqual({
    down: [
      'Tea shop',
      `:cross_mark: [Tea shop](https://tea.example/) is down.
~~~ quote
Connection Timeout
~~~`,
    ],
    up: [
      'Tea shop',
      `:check: [Tea shop](https://tea.example/) is up again after 5 mins.
~~~ quote
HTTP 200 - OK
~~~`,
    ],
    'certificate expires': [
      'Tea shop',
      `:warning: The certificate of [Tea shop](https://tea.example/) is about to expire.
~~~ quote
Your certificate expires in 7 days
~~~`,
    ],
  });
});

test('datadog tells of every sample by a topic and a text', () => {
  expect(toldOf(datadog)).toEqual({
    triggered: [
      'The kettle is cold',
      `:rotating_light: [(Triggered) The kettle is cold](https://app.datadoghq.com/event/event?id=1)
* **Priority**: P2
* **Host**: kettle-1
~~~ quote
Temperature below 80 °C
~~~`,
    ],
    warning: [
      'The kettle is cold',
      `:warning: [(Warn) The kettle is cold](https://app.datadoghq.com/event/event?id=1)
* **Priority**: P2
* **Host**: kettle-1
~~~ quote
Temperature below 80 °C
~~~`,
    ],
    'no data': [
      'The kettle is cold',
      `:question: [(No Data) The kettle is cold](https://app.datadoghq.com/event/event?id=1)
* **Priority**: P2
* **Host**: kettle-1
~~~ quote
Temperature below 80 °C
~~~`,
    ],
    recovered: [
      'The kettle is cold',
      `:check: [(Recovered) The kettle is cold](https://app.datadoghq.com/event/event?id=1)
* **Priority**: P2
* **Host**: kettle-1
~~~ quote
Temperature below 80 °C
~~~`,
    ],
    'still triggered': [
      'The kettle is cold',
      `:rotating_light: [(Renotify) The kettle is cold](https://app.datadoghq.com/event/event?id=1)
* **Priority**: P2
* **Host**: kettle-1
~~~ quote
Temperature below 80 °C
~~~`,
    ],
    event: [
      'Tea was served',
      `:information: Tea was served
~~~ quote
Twice.
~~~`,
    ],
  });
});

test('newrelic tells of every sample by a topic and a text', () => {
  expect(toldOf(newrelic)).toEqual({
    active: [
      'Tea',
      `:rotating_light: Active: [High response time](https://radar-api.service.newrelic.com/accounts/1/issues/b5e1c7b0)
* **Priority**: CRITICAL
* **Affects**: shop, kettle
* **Policy**: Tea
* **Condition**: Slow`,
    ],
    created: [
      'Tea',
      `:warning: Created: [High response time](https://radar-api.service.newrelic.com/accounts/1/issues/b5e1c7b0)
* **Priority**: CRITICAL
* **Affects**: shop, kettle
* **Policy**: Tea
* **Condition**: Slow`,
    ],
    acknowledged: [
      'Tea',
      `:eyes: Acknowledged: [High response time](https://radar-api.service.newrelic.com/accounts/1/issues/b5e1c7b0)
* **Priority**: CRITICAL
* **Affects**: shop, kettle
* **Policy**: Tea
* **Condition**: Slow`,
    ],
    closed: [
      'High response time',
      `:check: Closed: [High response time](https://radar-api.service.newrelic.com/accounts/1/issues/b5e1c7b0)
* **Priority**: CRITICAL
* **Affects**: shop, kettle
* **Condition**: Slow`,
    ],
  });
});

test('zabbix tells of every sample by a topic and a text', () => {
  expect(toldOf(zabbix)).toEqual({
    problem: [
      'kettle-1',
      `:rotating_light: [The kettle is cold](https://zabbix.example/tr_events.php?triggerid=1&eventid=2)
* **Host**: kettle-1
* **Severity**: High
* **Item**: Temperature: 20 °C`,
    ],
    recovery: [
      'kettle-1',
      `:check: Resolved: [The kettle is cold](https://zabbix.example/tr_events.php?triggerid=1&eventid=2)
* **Host**: kettle-1
* **Severity**: High
* **Item**: Temperature: 20 °C`,
    ],
    update: [
      'kettle-1',
      `Mona updated [The kettle is cold](https://zabbix.example/tr_events.php?triggerid=1&eventid=2)
* **Host**: kettle-1
* **Severity**: High
* **Item**: Temperature: 20 °C
~~~ quote
On my way.
~~~`,
    ],
  });
});
