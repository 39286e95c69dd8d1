import type { Verdict } from './checker.ts';
import type { ScheduleVerdict } from './schedule-checker.ts';
import type { WebhookVerdict } from './webhook-checker.ts';

/** What happened under one scenario. */
export interface RunReport extends Verdict, ScheduleVerdict, WebhookVerdict {
  scenario: string;
  seed: number;
  /** Whether the end of the log was lost in it: then acknowledged writes are gone, and clients are told. */
  losesHistory: boolean;
  /** Messages that were scheduled to be sent later, and those of them that are gone with the end of the log. */
  scheduled: number;
  scheduledGone: number;
  /** Messages that the service of a bot was to be told of. */
  asked: number;
  /** Requests that were made where a service redirected to. */
  webhooksElsewhere: number;
  seconds: number;
  queues: number;
  faults: number;
  sent: number;
  acknowledged: number;
  /** How sends were answered that were never acknowledged: tries by status, 0 where no answer came. */
  unacknowledgedTries: Readonly<Record<number, number>>;
  reRegistered: number;
  /** Polls that failed and were asked again by the client itself. */
  retried: number;
  heardPerSecond: number[];
  /** Folder with the nodes' logs, if something is wrong that was not broken on purpose; else they are gone. */
  keptIn: string | null;
  faultSeconds: number[];
}
