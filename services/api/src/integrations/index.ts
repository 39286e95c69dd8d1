import type { Integration } from './integration.ts';
import { alertmanager } from './products/alertmanager.ts';
import { azureDevops } from './products/azure-devops.ts';
import { bitbucket } from './products/bitbucket.ts';
import { buildkite } from './products/buildkite.ts';
import { circleci } from './products/circleci.ts';
import { gitea } from './products/gitea.ts';
import { github } from './products/github.ts';
import { gitlab } from './products/gitlab.ts';
import { grafana } from './products/grafana.ts';
import { jenkins } from './products/jenkins.ts';
import { jira } from './products/jira.ts';
import { json } from './products/json.ts';
import { linear } from './products/linear.ts';
import { homeAssistant, ifttt, zapier } from './products/messages.ts';
import { uptimekuma, uptimerobot } from './products/monitors.ts';
import { netlify } from './products/netlify.ts';
import { opsgenie } from './products/opsgenie.ts';
import { datadog, newrelic, zabbix } from './products/own-bodies.ts';
import { pagerduty } from './products/pagerduty.ts';
import { sentry } from './products/sentry.ts';
import { slackIncoming } from './products/slack-incoming.ts';
import { statuspage } from './products/statuspage.ts';
import { stripe } from './products/stripe.ts';
import { travis } from './products/travis.ts';
import { trello } from './products/trello.ts';

/** The products whose webhooks the server takes, in the order of their names. */
export const integrations: readonly Integration[] = [
  alertmanager,
  azureDevops,
  bitbucket,
  buildkite,
  circleci,
  datadog,
  gitea,
  github,
  gitlab,
  grafana,
  homeAssistant,
  ifttt,
  jenkins,
  jira,
  json,
  linear,
  netlify,
  newrelic,
  opsgenie,
  pagerduty,
  sentry,
  slackIncoming,
  statuspage,
  stripe,
  travis,
  trello,
  uptimekuma,
  uptimerobot,
  zabbix,
  zapier,
];
