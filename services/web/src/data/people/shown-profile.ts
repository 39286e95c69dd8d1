import { signal } from '@preact/signals';

/** Whose profile is shown. */
export const shownProfile = signal<number | null>(null);

/** Shows somebody's profile, from wherever. */
export const showProfile = (userId: number): void => void (shownProfile.value = userId);
