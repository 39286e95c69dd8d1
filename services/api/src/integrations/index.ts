import { alertmanager } from './alertmanager.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import type { Integration } from './integration.ts';
import { json } from './json.ts';
import { slackIncoming } from './slack-incoming.ts';

/** The products whose webhooks the server takes, in the order of their names. */
export const integrations: readonly Integration[] = [alertmanager, github, gitlab, json, slackIncoming];
