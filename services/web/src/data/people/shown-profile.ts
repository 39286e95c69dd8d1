import { signal } from '@preact/signals';

interface ShownProfile {
  userId: number;
  /** What was pressed; the profile is shown beside it. */
  opener: Element | null;
}

/** Whose profile is shown. */
export const shownProfile = signal<ShownProfile | null>(null);

/** Shows somebody's profile, from wherever. */
export const showProfile = (userId: number, opener: Element | null = document.activeElement): void =>
  void (shownProfile.value = { userId, opener });
