import { z } from 'zod';

import { OnboardingStep } from '../objects/onboarding-step.ts';
import { event } from './family.ts';

/** All notices that a user has yet to be shown, after one was. Sent to that user's own clients. */
export const onboardingSteps = event('onboarding_steps', { onboarding_steps: z.array(OnboardingStep) });
