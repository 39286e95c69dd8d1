import { z } from 'zod';

import { inline, link } from '../markdown.ts';
import { type Parser, kind } from './forge.ts';

/** What GitHub's alerts have in common. */
const Alert = z.object({ number: z.number(), html_url: z.string() });

const actions: Record<string, string> = {
  created: ':warning: New',
  appeared_in_branch: ':warning: New in a branch',
  reopened: ':warning: Reopened',
  reopened_by_user: ':warning: Reopened',
  auto_reopened: ':warning: Reopened',
  reintroduced: ':warning: Reintroduced',
  publicly_leaked: ':warning: Publicly leaked',
  fixed: ':check: Fixed',
  resolved: ':check: Resolved',
  dismissed: 'Dismissed',
  auto_dismissed: 'Dismissed automatically',
  closed_by_user: 'Closed',
};

/** An alert of one kind, of which `describe` says what it is about. */
const alert =
  (name: string, describe: (alert: unknown) => string): Parser =>
  (payload, { action = '', repository }) => {
    const said = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (said === undefined) return null;
    const { alert: raw } = z.object({ alert: z.unknown() }).parse(payload);
    const { number, html_url } = Alert.parse(raw);
    return {
      topic: `${repository.name} / alerts`,
      content: `${said}: ${link(`${name} alert #${number}`, html_url)}: ${describe(raw)}`,
    };
  };

const Dependency = z.object({
  dependency: z.object({ package: z.object({ name: z.string() }), manifest_path: z.string().nullish() }),
  security_advisory: z.object({ summary: z.string(), severity: z.string() }),
  security_vulnerability: z
    .object({ first_patched_version: z.object({ identifier: z.string() }).nullish() })
    .nullish(),
});

function describeDependency(raw: unknown): string {
  const { dependency, security_advisory: advisory, security_vulnerability } = Dependency.parse(raw);
  const patched = security_vulnerability?.first_patched_version?.identifier;
  const path = dependency.manifest_path ? ` in ${inline(dependency.manifest_path)}` : '';
  const remedy = patched ? ` It is mended in ${inline(patched)}.` : '';
  return `${inline(dependency.package.name)}${path}: ${inline(advisory.summary)} (${inline(advisory.severity)}).${remedy}`;
}

const Scanned = z.object({
  rule: z.object({ description: z.string(), severity: z.string().nullish() }),
  tool: z.object({ name: z.string() }),
});

function describeScanned(raw: unknown): string {
  const { rule, tool } = Scanned.parse(raw);
  const severity = rule.severity ? ` (${inline(rule.severity)})` : '';
  return `${inline(rule.description)}${severity}, found by ${inline(tool.name)}.`;
}

const Secret = z.object({ secret_type: z.string(), secret_type_display_name: z.string().nullish() });

const describeSecret = (raw: unknown): string => {
  const { secret_type, secret_type_display_name } = Secret.parse(raw);
  return `${inline(secret_type_display_name ?? secret_type)}.`;
};

const Advisory = z.object({
  repository_advisory: z.object({
    ghsa_id: z.string(),
    summary: z.string(),
    severity: z.string().nullish(),
    html_url: z.string(),
  }),
});

const advisory: Parser = (payload, { action = '', repository }) => {
  const { repository_advisory: one } = Advisory.parse(payload);
  if (!['published', 'reported'].includes(action)) return null;
  const severity = one.severity ? ` (${inline(one.severity)})` : '';
  return {
    topic: `${repository.name} / alerts`,
    content: `:warning: Advisory ${link(one.ghsa_id, one.html_url)} was ${action}: ${inline(one.summary)}${severity}`,
  };
};

/** What GitHub finds in the security of a repository. */
export const alertKinds = {
  dependabot_alert: kind(
    'Dependabot found or closed a vulnerable dependency',
    alert('Dependabot', describeDependency),
  ),
  code_scanning_alert: kind(
    'Code scanning found or closed a problem',
    alert('Code scanning', describeScanned),
  ),
  secret_scanning_alert: kind(
    'Secret scanning found or closed a secret',
    alert('Secret scanning', describeSecret),
  ),
  repository_advisory: kind('A security advisory was published or reported', advisory),
};
