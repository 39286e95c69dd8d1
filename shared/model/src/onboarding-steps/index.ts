export { onboardingStepsState } from './state.ts';
