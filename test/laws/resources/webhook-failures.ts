import { failWebhook } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { administrators } from '../fixtures/callers.ts';
import { type Case, type Table, ofAdministrators } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const failureOf = async ({ alice }: Pick<Fixture, 'alice'>) => ({
  failure_id: String(await failWebhook(alice)),
});

const ofTheOrganization: Case = {
  of: 'the organization’s',
  params: () => ({}),
  may: [...administrators, 'otherRealm'],
  code: 'UNAUTHORIZED_PRINCIPAL',
};

/** Messages that could not be passed on to the services of bots. */
export const access: Table = {
  'GET /realm/webhook_failures': [ofTheOrganization],
  'POST /realm/webhook_failures/:failure_id/replay': ofAdministrators('of a bot', failureOf),
  'DELETE /realm/webhook_failures/:failure_id': ofAdministrators('of a bot', failureOf),
};

const failure = ({ webhookFailureId }: { webhookFailureId: number }) => ({
  failure_id: String(webhookFailureId),
});

export const requests: Requests = {
  'GET /realm/webhook_failures': () => ({}),
  'POST /realm/webhook_failures/:failure_id/replay': failure,
  'DELETE /realm/webhook_failures/:failure_id': failure,
};
