import type { Patience } from './patience.ts';
import type { Migration } from './read-migrations.ts';
import type { Say, Session } from './session.ts';

/** What a step of a migration runs with. */
export interface Run {
  session: Session;
  migration: Migration;
  /** Whether the tables are divided over several servers. */
  isDivided: boolean;
  patience: Patience;
  say: Say;
}

/** Returns the name of a step as sentences begin with it. */
export const nameOfStep = ({ migration: { tag, steps } }: Pick<Run, 'migration'>, number: number) =>
  steps.length === 1 ? tag : `${tag}, step ${number} of ${steps.length}`;
