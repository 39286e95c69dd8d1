import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { RealmDomain, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const domain = form.line(limits.emailDomainLength);

export const realmDomainRoutes = [
  endpoint({
    method: 'GET',
    path: '/realm/domains',
    summary: 'Lists the domains that new email addresses may be of, where the organization keeps to domains.',
    since: null,
    errors: [],
    params: {},
    returns: { domains: z.array(RealmDomain) },
    async handle({ realm, snapshot }) {
      return { domains: await snapshot((tx) => model.realmDomains.realmDomainsState(tx, realm.id)) };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/realm/domains',
    summary: 'Adds a domain to those that new email addresses may be of.',
    since: null,
    errors: [],
    requires: ['owner'],
    params: { domain, allow_subdomains: form.bool() },
    returns: { new_domain: z.tuple([z.int(), z.string()]) },
    async handle({ actor, params, perform }) {
      const input = { domain: params.domain, allowSubdomains: params.allow_subdomains };
      const { row } = await perform(actions.realmDomains.add, { actor, ...input });
      return { new_domain: [row.id, row.domain] };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/realm/domains/:domain',
    summary: 'Changes whether new email addresses may be of the subdomains of a domain.',
    since: null,
    errors: [],
    requires: ['owner'],
    params: { domain, allow_subdomains: form.bool() },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = { domain: params.domain, allowSubdomains: params.allow_subdomains };
      await perform(actions.realmDomains.edit, { actor, ...input });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/realm/domains/:domain',
    summary: 'Removes a domain from those that new email addresses may be of.',
    since: null,
    errors: [],
    requires: ['owner'],
    params: { domain },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.realmDomains.remove, { actor, domain: params.domain });
      return {};
    },
  }),
];
