import * as actions from '@parley/actions';

import { endpoint, form } from '../endpoint/endpoint.ts';

export const onboardingStepRoutes = [
  endpoint({
    method: 'POST',
    path: '/users/me/onboarding_steps',
    summary: 'Records that the caller has seen a notice that is shown once.',
    since: null,
    errors: [],
    requires: ['human'],
    params: { onboarding_step: form.text() },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.onboardingSteps.markSeen, { actor, step: params.onboarding_step });
      return {};
    },
  }),
];
